#include "server/mcp/running_call.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/base/random_id.h"

namespace server {

namespace asio = boost::asio;
namespace mcp = protocol::mcp;
using protocol::jsonrpc::Checked;

namespace {

protocol::jsonrpc::Error no_answer(const std::string& method) {
  return {protocol::jsonrpc::internal_error,
          "The client did not answer " + method + ". Try again with a client that does.",
          {}};
}

}  // namespace

void McpServer::RunningCall::progress(const mcp::Progress& progress) {
  state_.perform(state_.connection.progress(call_.id, progress));
}

void McpServer::RunningCall::log(mcp::LogLevel level, std::string_view logger,
                                 const mcp::Json& data) {
  state_.perform(state_.connection.log(call_.id, level, logger, data));
}

McpServer::RunningCall::Question::Question(RunningCall& of, std::string with)
    : call(of), id(std::move(with)), timer(of.state_.executor, of.state_.settings.patience) {
  call.questions_.emplace(id, this);
}

asio::awaitable<Checked<mcp::Json>> McpServer::RunningCall::ask(std::string method,
                                                                mcp::Json params) {
  Question question(*this, random_id());
  auto actions = state_.connection.ask(call_.id, question.id, method, std::move(params));
  if (actions.empty()) co_return no_answer(method);
  state_.perform(std::move(actions));
  boost::system::error_code ended;
  co_await question.timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
  if (!question.answer) co_return no_answer(method);
  co_return *std::move(question.answer);
}

void McpServer::RunningCall::answered(const std::string& question, Checked<mcp::Json> answer) {
  const auto it = questions_.find(question);
  if (it == questions_.end()) return;
  it->second->answer = std::move(answer);
  it->second->timer.cancel();
}

}  // namespace server
