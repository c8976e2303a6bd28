#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "protocol/mcp/features.h"
#include "server/http/exchange.h"
#include "server/mcp/http_post.h"

namespace server {

class FairCalls;

// Serves MCP's Streamable HTTP at one path, for both eras and without sessions: each POST stands
// for itself, and there is neither a GET stream nor a DELETE. All calls are on the executor's
// thread; `features` and `handler` must outlive it.
class McpHttpEndpoint {
 public:
  struct Settings {
    // The limits of one principal, so that nobody can keep the others out. The limit on connections
    // bounds the whole, and Exchange::hold() the memory that messages take.
    std::size_t max_requests = 128;        // requests that are not answered yet
    std::size_t max_left = 16;             // POSTs whose client is gone, while their calls go on
    std::size_t body_bytes = 6U << 20;     // a whole message
    std::size_t text_bytes = 256U * 1024;  // a message without its sound
    std::chrono::seconds keep_alive{15};
    FairCalls* threads = nullptr;  // they parse long messages; nullptr: the caller's own does
  };

  McpHttpEndpoint(asio::any_io_executor executor, const protocol::mcp::Features& features,
                  CallHandler& handler, Settings settings);

  // Counts the calls of a batch, and returns the answer that refuses all of them if they are too
  // many.
  using Charge = std::function<std::optional<Response>(std::size_t calls)>;

  // Answers any request to the path. `principal` is the authenticated caller; calls, answers and
  // cancellations of others are out of reach.
  asio::awaitable<void> handle(Exchange& exchange, std::string principal, Charge charge);

  // Tells those clients of the principal who subscribed to it.
  void resource_updated(const std::string& principal, const std::string& uri);
  void resources_changed(const std::string& principal);

  // Ends subscriptions and cancels calls; the POSTs are answered.
  void close();

 private:
  // The open POSTs of one principal.
  struct Share {
    std::size_t requests = 0;
    std::list<HttpPost*> left{};  // in the order in which their clients left
  };

  using Checked = std::variant<protocol::mcp::Posted, protocol::mcp::Refusal>;

  asio::awaitable<Result<Checked>> check(const Exchange& exchange, std::string principal,
                                         std::string body) const;
  asio::awaitable<void> answer_requests(Exchange& exchange,
                                        const protocol::mcp::HeaderLookup& header,
                                        protocol::mcp::Posted posted, std::string principal);
  asio::awaitable<void> answer_all(HttpPost& post, Exchange& exchange, protocol::mcp::Json body,
                                   Share& share);
  asio::awaitable<void> answer(Exchange& exchange, const protocol::mcp::HeaderLookup& header,
                               Checked checked, std::string principal);
  void pass_on(const protocol::mcp::Json& message, const std::string& principal);

  asio::any_io_executor executor_;
  const protocol::mcp::Features& features_;
  CallHandler& handler_;
  Settings settings_;
  std::list<HttpPost*> posts_{};  // POSTs that are being answered; each is owned by its handle()
  std::map<std::string, Share> shares_{};  // by principal
  bool is_closed_ = false;
};

}  // namespace server
