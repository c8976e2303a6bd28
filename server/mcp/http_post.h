#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <string>

#include "protocol/mcp/http_rules.h"
#include "server/http/exchange.h"
#include "server/mcp/mcp_server.h"

namespace server {

// One POST with requests, from its message to the last answer. The answer is JSON if nothing is
// sent before it, otherwise a stream of events.
class HttpPost {
 public:
  struct Settings {
    std::string principal{};
    Trace trace{};
    protocol::mcp::Era era = protocol::mcp::Era::legacy;
    std::string revision{};
    bool may_stream = false;              // the client accepts text/event-stream
    std::chrono::seconds keep_alive{15};  // the longest silence of a stream
  };

  HttpPost(asio::any_io_executor executor, const protocol::mcp::Features& features,
           CallHandler& handler, Settings settings);

  // Returns true if all is answered, false if the client is gone before.
  asio::awaitable<bool> answer(Exchange& exchange, protocol::mcp::Json message);
  // Called when the client is gone; returns when the calls have ended. A modern client's calls are
  // cancelled, a legacy client's go on.
  asio::awaitable<void> end();
  // Called during end(): ends the calls, and lets their jobs go on by themselves.
  void let_go();

  const std::string& principal() const { return settings_.principal; }
  McpServer& server() { return server_; }

  // Takes a message about one of its requests that came by another POST.
  void receive(const protocol::mcp::Json& message);

  // The daemon is about to end: nothing is waited for any more.
  void close();

 private:
  bool is_idle() const { return server_.connection().is_idle(); }
  void keep(const protocol::mcp::Json& message);
  asio::awaitable<void> news_within(asio::steady_timer::duration limit);

  asio::awaitable<bool> deliver(Exchange& exchange);
  asio::awaitable<void> send_json(Exchange& exchange);
  protocol::mcp::Json all_answers();
  asio::awaitable<bool> stream(Exchange& exchange);

  Settings settings_;
  asio::steady_timer news_;
  std::deque<protocol::mcp::Json> unsent_{};
  bool is_batch_ = false;
  bool closes_ = false;
  McpServer server_;  // last: its destructor sends a farewell, which goes into unsent_
};

// Returns a whole message as a response, with its status.
Response json_response(int status, const protocol::mcp::Json& message);

}  // namespace server
