#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/http/access_record.h"
#include "server/http/body_room.h"
#include "server/http/client_address.h"
#include "server/http/exchange.h"
#include "server/http/limits.h"
#include "server/http/request_head.h"
#include "server/http/start_queue.h"
#include "server/http/timed_socket.h"

namespace server {

class SocketExchange;

// The settings and callbacks that all connections of a server share.
struct HttpSetup {
  HttpLimits limits{};
  TrustedProxies proxies{};
  std::function<asio::awaitable<void>(Exchange&)> dispatch{};
  std::function<void(const AccessRecord&)> on_done{};
  std::unique_ptr<BodyRoom> bodies{};
  std::unique_ptr<StartQueue> starts{};  // of requests whose header was read
  bool is_ending = false;                // every connection ends with the answer that it is giving
};

// One client's connection: request after request until the client or the server ends it.
class HttpConnection {
 public:
  using Clock = TimedSocket::Clock;

  // `setup` outlives the connection.
  HttpConnection(StreamSocket socket, Peer peer, const HttpSetup& setup);

  asio::awaitable<void> run();
  // Ends run(), and with it the handler that works for this connection.
  void stop();
  asio::cancellation_slot stop_slot() { return stop_.slot(); }
  // Returns whether the connection is between two requests.
  bool is_idle() const { return is_idle_; }
  // Since when the connection has waited for its client: for a whole header, for an answer to be
  // read, or to be closed after it. Empty while it works for a request, or ends already.
  std::optional<Clock::time_point> waits_since() const;

 private:
  asio::awaitable<bool> wait_for_request();
  asio::awaitable<Result<RequestHead>> read_head();
  asio::awaitable<void> refuse(const Error& error);
  asio::awaitable<bool> serve(RequestHead head);
  asio::awaitable<std::string> answer(SocketExchange& exchange);
  asio::awaitable<void> linger();

  TimedSocket socket_;
  const Peer peer_;
  const HttpSetup& setup_;
  boost::beast::flat_buffer buffer_;
  asio::cancellation_signal stop_;
  Clock::time_point head_deadline_{};
  std::optional<Clock::time_point> waits_since_{};
  const SocketExchange* exchange_ = nullptr;  // the one that is being answered
  bool is_stopped_ = false;
  bool is_first_ = true;
  bool is_idle_ = false;
};

}  // namespace server
