#pragma once

#include <chrono>
#include <list>
#include <map>
#include <string>

#include "protocol/mcp/features.h"
#include "server/http/exchange.h"
#include "server/mcp/http_post.h"

namespace server {

// MCP's Streamable HTTP at one path, for both eras and without sessions: each POST stands for
// itself, and there is neither a GET stream nor a DELETE. On the thread of the executor; `features`
// and `handler` must outlive it.
class McpHttpEndpoint {
 public:
  struct Settings {
    // Of one principal, so that nobody can keep the others out. Connections bound the whole.
    std::size_t max_requests = 128;        // that are not answered yet
    std::size_t max_bodies = 32;           // that are being read
    std::size_t max_left = 16;             // POSTs whose client is gone, while their calls go on
    std::size_t body_bytes = 6U << 20;     // of a whole message
    std::size_t text_bytes = 256U * 1024;  // of it, but for sound
    std::chrono::seconds keep_alive{15};
  };

  McpHttpEndpoint(asio::any_io_executor executor, const protocol::mcp::Features& features,
                  CallHandler& handler, Settings settings);

  // Any request to the path. `principal`: who was authenticated; calls, answers and cancellations
  // of others are out of reach.
  asio::awaitable<void> handle(Exchange& exchange, std::string principal);

  // To those clients of the principal who asked for it.
  void resource_updated(const std::string& principal, const std::string& uri);
  void resources_changed(const std::string& principal);

  // Ends subscriptions and cancels calls; the POSTs are answered.
  void close();

 private:
  // What one principal has open.
  struct Share {
    std::size_t bodies = 0;
    std::size_t requests = 0;
    std::list<HttpPost*> left{};  // the first has left first
  };

  asio::awaitable<Result<std::string>> read_body(Exchange& exchange, Share& share);
  asio::awaitable<void> answer_requests(Exchange& exchange,
                                        const protocol::mcp::HeaderLookup& header,
                                        protocol::mcp::Posted posted, std::string principal);
  asio::awaitable<void> answer_all(HttpPost& post, Exchange& exchange, protocol::mcp::Json body,
                                   Share& share);
  asio::awaitable<void> answer(Exchange& exchange, const protocol::mcp::HeaderLookup& header,
                               std::variant<protocol::mcp::Posted, protocol::mcp::Refusal> checked,
                               std::string principal);
  void pass_on(const protocol::mcp::Json& message, const std::string& principal);

  asio::any_io_executor executor_;
  const protocol::mcp::Features& features_;
  CallHandler& handler_;
  Settings settings_;
  std::list<HttpPost*> posts_{};           // that are being answered; each belongs to its handle()
  std::map<std::string, Share> shares_{};  // by principal
  bool is_closed_ = false;
};

}  // namespace server
