#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "server/http/chunked_decoder.h"
#include "server/http/limits.h"
#include "server/http/request_head.h"
#include "server/http/timed_socket.h"

namespace server {

// Reads the body of one request, from the connection's buffer and then from its socket. What
// belongs to the next request stays in the buffer.
class RequestBody {
 public:
  RequestBody(TimedSocket& socket, boost::beast::flat_buffer& buffer, const RequestHead& head,
              const HttpLimits& limits);

  void allow(std::uint64_t bytes) { allowed_ = bytes; }
  // Returns 0 at the end of the body. Sends "100 Continue" where the client waits for it. Every
  // call after an error returns the same error: too_large, too_slow, bad_request, client_gone.
  asio::awaitable<Result<std::size_t>> read_some(std::span<char> out);

  bool is_done() const;
  // Returns the length that the head announces; 0: none.
  std::uint64_t announced() const { return framing_.length; }
  std::uint64_t received() const { return received_; }
  // Since when the client has been waited for, to send more; nothing: it is not.
  std::optional<TimedSocket::Clock::time_point> waits_since() const { return waits_since_; }
  // Returns whether nothing is left, or only a short rest that is on its way, so that drain() makes
  // the connection ready for the next request.
  bool leaves_usable_connection() const;
  asio::awaitable<bool> drain();

 private:
  asio::awaitable<Result<std::size_t>> read_checked(std::span<char> out);
  asio::awaitable<Result<std::size_t>> read_plain(std::span<char> out);
  asio::awaitable<Result<std::size_t>> read_chunked(std::span<char> out);
  asio::awaitable<Result<std::size_t>> receive(std::span<char> out);
  asio::awaitable<Result<void>> ask_to_go_on();

  TimedSocket& socket_;
  boost::beast::flat_buffer& buffer_;
  const HttpLimits& limits_;
  const BodyFraming framing_;
  ChunkedDecoder chunks_;
  std::uint64_t allowed_;
  std::uint64_t received_ = 0;
  TimedSocket::Clock::duration waited_{0};  // the time spent waiting for the client
  std::optional<TimedSocket::Clock::time_point> waits_since_{};
  bool waits_to_be_asked_;
  std::optional<Error> failure_{};
};

}  // namespace server
