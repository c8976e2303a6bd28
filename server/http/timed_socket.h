#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "server/base/error.h"
#include "server/http/stream_socket.h"

namespace server {

namespace asio = boost::asio;

// A connection on which every wait ends at a deadline. It waits until the socket is ready and only
// then touches a buffer, so a connection on which nothing happens holds none, and a cancelled call
// has lost nothing. Cancellation throws; all other failures are `client_gone` or `too_slow`.
class TimedSocket {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TimedSocket(StreamSocket socket);

  // Waits for bytes, or for the end of the client's side.
  asio::awaitable<Result<void>> readable(Clock::time_point deadline);
  // Returns how many bytes came; 0 if the client has closed its side.
  asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer,
                                                 Clock::time_point deadline);
  // Writes all of the parts, one after the other. The client must take some bytes in each
  // `progress`, and `bytes_per_second` on average after that time.
  asio::awaitable<Result<void>> write(std::span<const std::string_view> parts,
                                      std::chrono::milliseconds progress,
                                      std::uint64_t bytes_per_second);
  // Waits until the client has closed the connection, even behind bytes of a next request.
  asio::awaitable<void> closed_by_peer();

  // Sets how many bytes the system holds at most that the client has not taken.
  void limit_send_buffer(int bytes);
  void shutdown_send();
  // Returns the socket without deadlines. Afterwards this object behaves as if the client had gone.
  StreamSocket release() { return std::move(socket_); }

 private:
  asio::awaitable<bool> ready(StreamSocket::wait_type what, Clock::time_point deadline);

  StreamSocket socket_;
};

}  // namespace server
