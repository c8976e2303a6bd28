#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/mcp/connection.h"

namespace server {

// What a call may tell while it runs. On the thread of the executor.
class CallReporter {
 public:
  virtual ~CallReporter() = default;
  virtual void progress(const protocol::mcp::Progress& progress) = 0;
};

// Answers what clients ask. Cancelling the coroutine ends the work: its result is not wanted.
class CallHandler {
 public:
  virtual ~CallHandler() = default;
  virtual boost::asio::awaitable<protocol::mcp::Outcome> answer(const protocol::mcp::Call& call,
                                                                CallReporter& reporter) = 0;
};

// Does what a Connection says: sends, begins calls as coroutines beside each other, cancels them.
// For one client, on one thread. `features` and `handler` must outlive it, and so must it the
// coroutines that it began: run the executor until calls() is 0 after close().
class McpServer {
 public:
  using SendText = std::function<void(std::string)>;  // one message, in one line

  McpServer(boost::asio::any_io_executor executor, const protocol::mcp::Features& features,
            CallHandler& handler, SendText send);
  ~McpServer();

  void receive(std::string_view text);

  // Ends subscriptions and cancels all calls; what is received afterwards is ignored.
  void close();

  std::size_t calls() const { return calls_.size(); }

 private:
  class RunningCall;

  void perform(protocol::mcp::Actions actions);
  void begin(protocol::mcp::Call call);
  boost::asio::awaitable<void> run(std::shared_ptr<RunningCall> running);

  boost::asio::any_io_executor executor_;
  protocol::mcp::Connection connection_;
  CallHandler& handler_;
  SendText send_;
  bool is_closed_ = false;
  std::map<protocol::mcp::CallId, std::shared_ptr<RunningCall>> calls_{};
};

}  // namespace server
