#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "server/mcp/mcp_server.h"

namespace server {

// The state that the calls of one client share. It lives until the last of them has ended.
class McpServer::State final : public std::enable_shared_from_this<State> {
 public:
  State(boost::asio::any_io_executor executor, const protocol::mcp::Features& features,
        CallHandler& handler, SendMessage send, Settings settings);

  void perform(protocol::mcp::Actions actions);
  void close();

  boost::asio::any_io_executor executor;
  Settings settings;
  protocol::mcp::Connection connection;
  std::map<protocol::mcp::CallId, std::shared_ptr<RunningCall>> calls{};
  bool is_closed = false;
  bool is_let_go = false;

 private:
  void begin(protocol::mcp::Call call);
  boost::asio::awaitable<void> run(std::shared_ptr<RunningCall> running);

  CallHandler& handler_;
  SendMessage send_;
};

// One call, from its beginning to the end of its coroutine.
class McpServer::RunningCall final : public CallContext {
 public:
  RunningCall(State& state, protocol::mcp::Call call) : state_(state), call_(std::move(call)) {}

  const protocol::mcp::Call& call() const { return call_; }
  boost::asio::cancellation_signal& signal() { return signal_; }
  void answered(const std::string& question,
                protocol::jsonrpc::Checked<protocol::mcp::Json> answer);

  const std::string& principal() const override { return state_.settings.principal; }
  const Trace& trace() const override { return state_.settings.trace; }
  bool is_let_go() const override { return state_.is_let_go; }
  void progress(const protocol::mcp::Progress& progress) override;
  void log(protocol::mcp::LogLevel level, std::string_view logger,
           const protocol::mcp::Json& data) override;
  boost::asio::awaitable<protocol::jsonrpc::Checked<protocol::mcp::Json>> ask(
      std::string method, protocol::mcp::Json params) override;

 private:
  // A question to the client, while ask() waits for the answer.
  struct Question {
    Question(RunningCall& of, std::string with);
    ~Question() { call.questions_.erase(id); }

    RunningCall& call;
    std::string id;
    boost::asio::steady_timer timer;
    std::optional<protocol::jsonrpc::Checked<protocol::mcp::Json>> answer{};
  };

  State& state_;
  protocol::mcp::Call call_;
  boost::asio::cancellation_signal signal_{};
  std::map<std::string, Question*> questions_{};
};

}  // namespace server
