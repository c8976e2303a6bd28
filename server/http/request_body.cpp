#include "server/http/request_body.h"

#include <array>
#include <cstring>

namespace server {
namespace {

constexpr std::uint64_t drained_bytes = 64 * 1024;
constexpr std::size_t receive_bytes = 16 * 1024;

Error too_large(std::uint64_t allowed) {
  return {errc::too_large,
          "The body of the request is longer than the " + std::to_string(allowed) +
              " bytes that are allowed here.",
          "Send less."};
}

Error gone_within_request() {
  return {errc::client_gone, "The client has closed the connection within its request."};
}

std::string_view view_of(const boost::beast::flat_buffer& buffer) {
  return {static_cast<const char*>(buffer.data().data()), buffer.size()};
}

}  // namespace

RequestBody::RequestBody(TimedSocket& socket, boost::beast::flat_buffer& buffer,
                         const RequestHead& head, const HttpLimits& limits)
    : socket_(socket),
      buffer_(buffer),
      limits_(limits),
      framing_(head.body),
      allowed_(limits.body_bytes),
      waits_to_be_asked_(head.expects_continue) {}

bool RequestBody::is_done() const {
  return framing_.is_chunked ? chunks_.is_done() : received_ == framing_.length;
}

asio::awaitable<Result<std::size_t>> RequestBody::read_some(std::span<char> out) {
  if (failure_) co_return *failure_;
  if (is_done() || out.empty()) co_return std::size_t{0};
  auto got = co_await read_checked(out);
  if (!got) failure_ = got.error();
  co_return got;
}

asio::awaitable<Result<std::size_t>> RequestBody::read_checked(std::span<char> out) {
  if (!framing_.is_chunked && framing_.length > allowed_) co_return too_large(allowed_);
  if (waits_to_be_asked_) {
    const auto asked = co_await ask_to_go_on();
    if (!asked) co_return asked.error();
  }
  Result<std::size_t> got = std::size_t{0};
  if (framing_.is_chunked) {
    got = co_await read_chunked(out);
  } else {
    got = co_await read_plain(out);
  }
  if (!got) co_return got;
  received_ += *got;
  if (received_ > allowed_) co_return too_large(allowed_);
  co_return got;
}

asio::awaitable<Result<void>> RequestBody::ask_to_go_on() {
  waits_to_be_asked_ = false;
  if (buffer_.size() > 0) co_return Result<void>{};  // the client did not wait
  constexpr std::array<std::string_view, 1> answer{"HTTP/1.1 100 Continue\r\n\r\n"};
  co_return co_await socket_.write(answer, limits_.write_time, limits_.answer_bytes_per_second);
}

asio::awaitable<Result<std::size_t>> RequestBody::read_plain(std::span<char> out) {
  const auto left = framing_.length - received_;
  if (out.size() > left) out = out.first(static_cast<std::size_t>(left));
  if (buffer_.size() > 0) {
    const auto count = std::min(out.size(), buffer_.size());
    std::memcpy(out.data(), buffer_.data().data(), count);
    buffer_.consume(count);
    co_return count;
  }
  const auto got = co_await receive(out);
  if (!got) co_return got.error();
  if (*got == 0) co_return gone_within_request();
  co_return *got;
}

asio::awaitable<Result<std::size_t>> RequestBody::read_chunked(std::span<char> out) {
  while (true) {
    const auto step = chunks_.decode(view_of(buffer_), out);
    if (!step) co_return step.error();
    buffer_.consume(step->consumed);
    if (step->produced > 0 || chunks_.is_done()) co_return step->produced;
    const auto room = buffer_.prepare(std::min(receive_bytes, buffer_.max_size()));
    const auto got = co_await receive({static_cast<char*>(room.data()), room.size()});
    if (!got) co_return got.error();
    if (*got == 0) co_return gone_within_request();
    buffer_.commit(*got);
  }
}

asio::awaitable<Result<std::size_t>> RequestBody::receive(std::span<char> out) {
  using Clock = TimedSocket::Clock;
  const std::chrono::milliseconds earned(received_ * 1000 / limits_.body_bytes_per_second);
  const auto begin = Clock::now();
  const auto deadline = begin + limits_.body_grace + earned - waited_;
  waits_since_ = begin;
  auto got = co_await socket_.read_some(out, deadline);
  waits_since_.reset();
  waited_ += Clock::now() - begin;
  co_return got;
}

bool RequestBody::leaves_usable_connection() const {
  if (failure_) return false;
  return is_done() || (!waits_to_be_asked_ && !framing_.is_chunked &&
                       framing_.length - received_ <= drained_bytes);
}

asio::awaitable<bool> RequestBody::drain() {
  allowed_ = std::max(allowed_, framing_.length);
  std::array<char, 2048> dropped;
  while (!is_done()) {
    const auto got = co_await read_some(dropped);
    if (!got) co_return false;
  }
  co_return true;
}

}  // namespace server
