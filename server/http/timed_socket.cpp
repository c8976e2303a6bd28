#include "server/http/timed_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>

namespace server {
namespace {

Error gone() {
  return {errc::client_gone, "The client has closed the connection."};
}

Error too_slow(const char* what) {
  return {errc::too_slow, what, "Send the request again over a faster connection."};
}

bool is_passing(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

constexpr std::chrono::milliseconds hang_up_interval{500};

#if defined(__APPLE__)

constexpr int send_flags = 0;  // Asio has told the socket to raise no signal

bool has_hung_up(int fd) {
  pollfd state{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

#else

constexpr int send_flags = MSG_NOSIGNAL;

bool has_hung_up(int fd) {
  pollfd state{.fd = fd, .events = POLLRDHUP, .revents = 0};
  return ::poll(&state, 1, 0) > 0;
}

#endif

// The rest of some parts after their first `sent` bytes, in as many pieces as the system call
// takes.
struct Rest {
  std::array<iovec, 4> pieces{};
  std::size_t count = 0;
};

Rest rest_of(std::span<const std::string_view> parts, std::size_t sent) {
  Rest rest;
  for (std::string_view part : parts) {
    const auto skipped = std::min(sent, part.size());
    sent -= skipped;
    part.remove_prefix(skipped);
    if (part.empty()) continue;
    rest.pieces[rest.count++] = {const_cast<char*>(part.data()), part.size()};
    if (rest.count == rest.pieces.size()) break;
  }
  return rest;
}

}  // namespace

TimedSocket::TimedSocket(StreamSocket socket) : socket_(std::move(socket)) {
  boost::system::error_code ignored;
  socket_.native_non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);  // of TCP alone
}

// Returns false if nothing happened until the deadline. Returns true also if the connection
// broke: the next call reports it.
asio::awaitable<bool> TimedSocket::ready(asio::socket_base::wait_type what,
                                         Clock::time_point deadline) {
  asio::steady_timer timer(socket_.get_executor(), deadline);
  auto group = asio::experimental::make_parallel_group(socket_.async_wait(what, asio::deferred),
                                                       timer.async_wait(asio::deferred));
  const auto [order, failure, timer_failure] =
      co_await group.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  if (failure != asio::error::operation_aborted) co_return true;
  if (!timer_failure) co_return false;
  throw boost::system::system_error(asio::error::operation_aborted);
}

asio::awaitable<Result<void>> TimedSocket::readable(Clock::time_point deadline) {
  const bool is_ready = co_await ready(asio::socket_base::wait_read, deadline);
  if (!is_ready) co_return too_slow("The request timed out.");
  co_return Result<void>{};
}

asio::awaitable<Result<std::size_t>> TimedSocket::read_some(std::span<char> buffer,
                                                            Clock::time_point deadline) {
  while (true) {
    const bool is_ready = co_await ready(asio::socket_base::wait_read, deadline);
    if (!is_ready) co_return too_slow("The request came too slowly.");
    const ssize_t got = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), 0);
    if (got >= 0) co_return static_cast<std::size_t>(got);
    if (!is_passing(errno)) co_return gone();
  }
}

asio::awaitable<Result<void>> TimedSocket::write(std::span<const std::string_view> parts,
                                                 std::chrono::milliseconds progress,
                                                 std::uint64_t bytes_per_second) {
  const auto begin = Clock::now();
  std::size_t sent = 0;
  while (true) {
    Rest rest = rest_of(parts, sent);
    if (rest.count == 0) co_return Result<void>{};
    msghdr message{};
    message.msg_iov = rest.pieces.data();
    message.msg_iovlen = rest.count;
    const ssize_t written = ::sendmsg(socket_.native_handle(), &message, send_flags);
    if (written >= 0) {
      sent += static_cast<std::size_t>(written);
      continue;
    }
    if (!is_passing(errno)) co_return gone();
    const std::chrono::milliseconds earned(sent * 1000 / bytes_per_second);
    const auto deadline = progress + std::min(Clock::now(), begin + earned);
    const bool is_ready = co_await ready(asio::socket_base::wait_write, deadline);
    if (!is_ready) co_return too_slow("The answer was read too slowly.");
  }
}

asio::awaitable<void> TimedSocket::closed_by_peer() {
  while (true) {
    co_await socket_.async_wait(asio::socket_base::wait_read, asio::use_awaitable);
    char byte = 0;
    const ssize_t got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK);
    if (got == 0 || (got < 0 && !is_passing(errno))) co_return;
    if (got > 0) break;
  }
  // The bytes that wait keep the socket readable, so its end has to be asked for.
  asio::steady_timer pause(socket_.get_executor());
  while (!has_hung_up(socket_.native_handle())) {
    pause.expires_after(hang_up_interval);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

void TimedSocket::limit_send_buffer(int bytes) {
  boost::system::error_code ignored;  // a larger one does no harm
  socket_.set_option(asio::socket_base::send_buffer_size(bytes), ignored);
}

void TimedSocket::shutdown_send() {
  boost::system::error_code ignored;
  socket_.shutdown(asio::socket_base::shutdown_send, ignored);
}

}  // namespace server
