#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

// A connection whose every wait has an end. It waits until the socket is ready and only then
// touches a buffer, so a connection on which nothing happens holds none, and a cancelled call has
// lost nothing. Cancellation throws; all other failures are `client_gone` or `too_slow`.
class TimedSocket {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TimedSocket(asio::ip::tcp::socket socket);

  // Waits for bytes, or for the end.
  asio::awaitable<Result<void>> readable(Clock::time_point deadline);
  // How many bytes came; 0: the client has closed its side.
  asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer,
                                                 Clock::time_point deadline);
  // All of the parts, one after the other. Something must be taken in each `progress`, and
  // `bytes_per_second` of the whole when that time is over.
  asio::awaitable<Result<void>> write(std::span<const std::string_view> parts,
                                      std::chrono::milliseconds progress,
                                      std::uint64_t bytes_per_second);
  // Ends when the client has closed, be it behind bytes of a next request.
  asio::awaitable<void> closed_by_peer();

  void shutdown_send();
  // The socket without deadlines. Afterwards this object is as one whose client has gone.
  asio::ip::tcp::socket release() { return std::move(socket_); }

 private:
  asio::awaitable<bool> ready(asio::ip::tcp::socket::wait_type what, Clock::time_point deadline);

  asio::ip::tcp::socket socket_;
};

}  // namespace server
