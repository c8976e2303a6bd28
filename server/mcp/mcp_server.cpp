#include "server/mcp/mcp_server.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "server/mcp/running_call.h"

namespace server {

namespace asio = boost::asio;
namespace mcp = protocol::mcp;

namespace {

constexpr std::size_t max_calls = 64;  // of one client at once

mcp::Outcome too_many_calls() {
  return mcp::tool_error("Too many calls are running. Wait until one of them is finished.");
}

mcp::Connection connection_for(const mcp::Features& features, const std::string& revision) {
  return revision.empty() ? mcp::Connection(features) : mcp::Connection(features, revision);
}

}  // namespace

McpServer::State::State(asio::any_io_executor of, const mcp::Features& features,
                        CallHandler& handler, SendMessage send, Settings how)
    : executor(std::move(of)),
      settings(std::move(how)),
      connection(connection_for(features, settings.revision)),
      handler_(handler),
      send_(std::move(send)) {}

void McpServer::State::perform(mcp::Actions actions) {
  const auto alive = shared_from_this();
  for (auto& action : actions) {
    if (auto* send = std::get_if<mcp::Send>(&action)) {
      if (send_) send_(send->message);
    } else if (auto* begun = std::get_if<mcp::Begin>(&action)) {
      begin(std::move(begun->call));
    } else if (auto* answered = std::get_if<mcp::Answered>(&action)) {
      const auto it = calls.find(answered->call);
      if (it == calls.end()) continue;
      it->second->answered(answered->question, std::move(answered->answer));
    } else {
      const auto it = calls.find(std::get<mcp::Abandon>(action).call);
      // The call is copied, because it may end, and leave the map, while it is told.
      if (it == calls.end()) continue;
      const auto running = it->second;
      running->signal().emit(asio::cancellation_type::terminal);
    }
  }
}

void McpServer::State::begin(mcp::Call call) {
  if (calls.size() >= max_calls) {
    return perform(connection.finish(call.id, too_many_calls()));
  }
  const mcp::CallId id = call.id;
  auto running = std::make_shared<RunningCall>(*this, std::move(call));
  calls.emplace(id, running);
  asio::co_spawn(executor, run(running),
                 asio::bind_cancellation_slot(running->signal().slot(),
                                              [self = shared_from_this(), id, running](
                                                  std::exception_ptr) { self->calls.erase(id); }));
}

asio::awaitable<void> McpServer::State::run(std::shared_ptr<RunningCall> running) {
  mcp::Outcome outcome;
  try {
    outcome = co_await handler_.answer(running->call(), *running);
  } catch (const boost::system::system_error& cancelled) {
    if (cancelled.code() == asio::error::operation_aborted) co_return;
    outcome = protocol::jsonrpc::Error{protocol::jsonrpc::internal_error, cancelled.what(), {}};
  } catch (const std::exception& failure) {
    outcome = protocol::jsonrpc::Error{protocol::jsonrpc::internal_error, failure.what(), {}};
  }
  perform(connection.finish(running->call().id, std::move(outcome)));
}

void McpServer::State::close() {
  if (std::exchange(is_closed, true)) return;
  perform(connection.close());
  send_ = nullptr;  // the target may be destroyed before the calls
}

McpServer::McpServer(asio::any_io_executor executor, const mcp::Features& features,
                     CallHandler& handler, SendMessage send, Settings settings)
    : state_(std::make_shared<State>(std::move(executor), features, handler, std::move(send),
                                     std::move(settings))) {}

McpServer::~McpServer() {
  state_->close();
}

void McpServer::receive(std::string_view text) {
  if (!state_->is_closed) state_->perform(state_->connection.receive(text));
}

void McpServer::receive_value(const mcp::Json& value) {
  if (!state_->is_closed) state_->perform(state_->connection.receive_value(value));
}

void McpServer::resource_updated(const std::string& uri) {
  state_->perform(state_->connection.resource_updated(uri));
}

void McpServer::resources_changed() {
  state_->perform(state_->connection.resources_changed());
}

void McpServer::close() {
  state_->close();
}

void McpServer::let_go() {
  state_->is_let_go = true;
  state_->close();
}

std::size_t McpServer::calls() const {
  return state_->calls.size();
}

const mcp::Connection& McpServer::connection() const {
  return state_->connection;
}

}  // namespace server
