#include "server/mcp/mcp_server.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

namespace server {

namespace asio = boost::asio;
namespace mcp = protocol::mcp;

namespace {

constexpr std::size_t max_calls = 64;  // at once, of one client

mcp::Outcome too_many_calls() {
  return mcp::tool_error("Too many calls are running. Wait until one of them has ended.");
}

}  // namespace

class McpServer::RunningCall final : public CallReporter {
 public:
  RunningCall(McpServer& server, mcp::Call call) : server_(server), call_(std::move(call)) {}

  const mcp::Call& call() const { return call_; }
  asio::cancellation_signal& signal() { return signal_; }

  void progress(const mcp::Progress& progress) override {
    server_.perform(server_.connection_.progress(call_.id, progress));
  }

 private:
  McpServer& server_;
  mcp::Call call_;
  asio::cancellation_signal signal_{};
};

McpServer::McpServer(asio::any_io_executor executor, const mcp::Features& features,
                     CallHandler& handler, SendText send)
    : executor_(std::move(executor)),
      connection_(features),
      handler_(handler),
      send_(std::move(send)) {}

McpServer::~McpServer() = default;

void McpServer::receive(std::string_view text) {
  if (!is_closed_) perform(connection_.receive(text));
}

void McpServer::close() {
  is_closed_ = true;
  perform(connection_.close());
}

void McpServer::perform(mcp::Actions actions) {
  for (auto& action : actions) {
    if (auto* send = std::get_if<mcp::Send>(&action)) {
      send_(protocol::jsonrpc::to_text(send->message));
    } else if (auto* begun = std::get_if<mcp::Begin>(&action)) {
      begin(std::move(begun->call));
    } else {
      const auto it = calls_.find(std::get<mcp::Abandon>(action).call);
      // A copy, because the call may end, and leave the map, while it is told.
      if (it == calls_.end()) continue;
      const auto running = it->second;
      running->signal().emit(asio::cancellation_type::terminal);
    }
  }
}

void McpServer::begin(mcp::Call call) {
  if (calls_.size() >= max_calls) {
    return perform(connection_.finish(call.id, too_many_calls()));
  }
  const mcp::CallId id = call.id;
  auto running = std::make_shared<RunningCall>(*this, std::move(call));
  calls_.emplace(id, running);
  asio::co_spawn(
      executor_, run(running),
      asio::bind_cancellation_slot(running->signal().slot(),
                                   [this, id, running](std::exception_ptr) { calls_.erase(id); }));
}

asio::awaitable<void> McpServer::run(std::shared_ptr<RunningCall> running) {
  mcp::Outcome outcome;
  try {
    outcome = co_await handler_.answer(running->call(), *running);
  } catch (const boost::system::system_error& cancelled) {
    if (cancelled.code() == asio::error::operation_aborted) co_return;
    outcome = protocol::jsonrpc::Error{protocol::jsonrpc::internal_error, cancelled.what(), {}};
  } catch (const std::exception& failure) {
    outcome = protocol::jsonrpc::Error{protocol::jsonrpc::internal_error, failure.what(), {}};
  }
  perform(connection_.finish(running->call().id, std::move(outcome)));
}

}  // namespace server
