#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "protocol/live/adapter.h"

namespace server {

namespace asio = boost::asio;

// The frames that wait for a client to read them. It is used on the executor's thread; one
// coroutine takes frames out.
class Outbox {
 public:
  static constexpr std::size_t most_bytes = 1 << 20;

  struct Frame {
    std::string bytes{};
    bool is_ping = false;
  };

  explicit Outbox(asio::any_io_executor executor);

  // Adds a frame behind the others, and removes the waiting one that it replaces. A client for
  // which most_bytes wait reads too slowly: what waits is dropped, and it is told so (1008).
  void send(protocol::live::Send frame);
  // Asks the client for a sign of life, before all other frames.
  void ping();
  // Nothing is sent behind what waits. The first call counts.
  void close(protocol::live::Close how);

  bool is_closing() const { return closing_.has_value(); }
  // How the connection is to be closed, once next() has returned nothing.
  const protocol::live::Close& closing() const { return *closing_; }

  // Waits for the next frame; nothing: all is sent, and the connection is to be closed.
  asio::awaitable<std::optional<Frame>> next();

 private:
  struct Waiting {
    protocol::live::Send send{};
    bool is_ping = false;
  };

  void tell();

  std::deque<Waiting> waiting_{};
  std::size_t bytes_ = 0;  // of the frames, with something for each
  std::optional<protocol::live::Close> closing_{};
  asio::steady_timer news_;  // cancelled when there is something to take
};

}  // namespace server
