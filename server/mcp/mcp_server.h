#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/mcp/connection.h"
#include "server/mcp/call_handler.h"

namespace server {

// Carries out what a Connection decides: sends messages, begins calls as coroutines beside each
// other, and cancels them. It serves one client, on one thread. `features` and `handler` must
// outlive the coroutines that it began: they end soon after close(), which the destructor calls.
class McpServer {
 public:
  using SendMessage = std::function<void(const protocol::mcp::Json& message)>;

  struct Settings {
    std::string principal = "local";  // who the client is
    Trace trace{};                    // the request over HTTP; else empty
    std::string revision{};  // the protocol version over HTTP, as Connection has it; else empty
    std::chrono::seconds patience{300};  // how long a client may take to answer a question
  };

  McpServer(boost::asio::any_io_executor executor, const protocol::mcp::Features& features,
            CallHandler& handler, SendMessage send, Settings settings);
  ~McpServer();
  McpServer(const McpServer&) = delete;

  void receive(std::string_view text);
  void receive_value(const protocol::mcp::Json& value);

  void resource_updated(const std::string& uri);
  void resources_changed();

  // Ends subscriptions and cancels all calls; later messages are ignored.
  void close();
  // Ends as close() does, but jobs that the calls wait for go on: nobody is there to hear the
  // answers.
  void let_go();

  // Returns the number of coroutines that have not ended.
  std::size_t calls() const;
  const protocol::mcp::Connection& connection() const;

 private:
  class State;
  class RunningCall;
  std::shared_ptr<State> state_;  // also held by the calls
};

}  // namespace server
