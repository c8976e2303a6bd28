#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <string_view>

#include "protocol/mcp/call.h"
#include "protocol/mcp/envelope.h"
#include "server/base/trace.h"

namespace server {

// The services that a call may use while it runs, on the executor's thread.
class CallContext {
 public:
  virtual ~CallContext() = default;

  // Returns who calls, as the transport knows it: "local" for the process that started this one.
  virtual const std::string& principal() const = 0;
  // Returns what its request is known by; empty over stdio.
  virtual const Trace& trace() const = 0;
  // While the call is being cancelled, returns whether the work that it began goes on, because its
  // client has left without asking to end it.
  virtual bool is_let_go() const = 0;
  virtual void progress(const protocol::mcp::Progress& progress) = 0;
  virtual void log(protocol::mcp::LogLevel level, std::string_view logger,
                   const protocol::mcp::Json& data) = 0;
  // Asks a legacy client for something (Connection::ask), and waits for it. Errors: what the client
  // says, no answer in time, a modern client.
  virtual boost::asio::awaitable<protocol::jsonrpc::Checked<protocol::mcp::Json>> ask(
      std::string method, protocol::mcp::Json params) = 0;
};

// Answers the requests of clients. Cancelling the coroutine ends the work: its result is not
// wanted.
class CallHandler {
 public:
  virtual ~CallHandler() = default;
  virtual boost::asio::awaitable<protocol::mcp::Outcome> answer(const protocol::mcp::Call& call,
                                                                CallContext& context) = 0;
};

}  // namespace server
