#include "server/http/socket_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "server/http/request_id.h"

namespace server {
namespace {

// The size of the system's send buffer for a stream. Without a limit it grows to megabytes for each
// client that does not read. Over a line of 50 ms this is enough for 5 MB a second.
constexpr int stream_buffer_bytes = 256 * 1024;

}  // namespace

SocketExchange::SocketExchange(TimedSocket& socket, boost::beast::flat_buffer& buffer,
                               const HttpLimits& limits, RequestHead head, RequestSource source,
                               BodyRoom& bodies, Turn turn, const bool& is_last)
    : socket_(socket),
      buffer_(buffer),
      limits_(limits),
      head_(std::move(head)),
      source_(std::move(source)),
      trace_(trace_of(head_.fields)),
      turn_(std::move(turn)),
      is_last_(is_last),
      body_(socket, buffer, head_, limits),
      room_(bodies) {}

std::optional<std::string> SocketExchange::query(std::string_view name) const {
  return head_.target.find(name);
}

const std::vector<std::pair<std::string, std::string>>& SocketExchange::query_fields() const {
  return head_.target.query;
}

asio::awaitable<Result<std::size_t>> SocketExchange::read_some(std::span<char> buffer) {
  return body_.read_some(buffer);
}

asio::awaitable<Result<std::string>> SocketExchange::read_body(std::size_t limit) {
  body_.allow(limit);
  std::string text;
  std::array<char, 8192> piece;  // the text grows with what has come, not with the announced size
  const std::uint64_t announced = body_.announced();
  const std::size_t expected = announced <= limit ? announced : 0;
  while (true) {
    // What is announced gets its room at once: bodies that grow side by side would all stop
    // halfway.
    auto holding = hold(std::max(expected, text.size() + piece.size()));
    const auto held = co_await std::move(holding);
    if (!held) co_return held.error();
    const auto got = co_await body_.read_some(piece);
    if (!got) co_return got.error();
    if (*got == 0) break;
    text.append(piece.data(), *got);
  }
  // The work comes behind the body, and many bodies end in one pass of the event loop.
  auto starting = turn_.starts.start(turn_.client);
  co_await std::move(starting);
  co_return text;
}

void SocketExchange::add_headers(Headers headers) {
  auto& fields = is_stream_ ? trailers_ : more_headers_;
  std::ranges::move(headers, std::back_inserter(fields));
}

void SocketExchange::fail_stream(std::string code) {
  trailers_.emplace_back(late_error_trailer, code);
  error_ = std::move(code);
}

void SocketExchange::begin_answer(Response& response) {
  if (has_answered()) throw std::logic_error("an exchange was answered twice");
  std::ranges::copy(more_headers_, std::back_inserter(response.headers));
  status_ = static_cast<int>(response.status);
  error_ = response.error;
  keep_alive_ = head_.keep_alive && !is_last_ && body_.leaves_usable_connection();
}

asio::awaitable<void> SocketExchange::send(Response response) {
  begin_answer(response);
  answered_since_ = TimedSocket::Clock::now();
  const AnswerFraming framing{
      .length = response.body.size(), .is_http11 = head_.is_http11, .keep_alive = keep_alive_};
  const std::string head = answer_head(response, framing, trace_.request_id);
  const bool has_body = head_.method != http::verb::head;
  const std::array<std::string_view, 2> parts{head, has_body ? response.body : std::string_view{}};
  co_await write_parts(parts);
}

asio::awaitable<void> SocketExchange::start_stream(Response response) {
  begin_answer(response);
  is_stream_ = true;
  socket_.limit_send_buffer(stream_buffer_bytes);
  is_chunked_ = head_.is_http11 && !response.stream_bytes;
  // An answer of unknown length to HTTP/1.0 ends with the connection.
  if (!is_chunked_ && !response.stream_bytes) keep_alive_ = false;
  const AnswerFraming framing{
      .length = response.stream_bytes, .is_http11 = head_.is_http11, .keep_alive = keep_alive_};
  const std::string head = answer_head(response, framing, trace_.request_id);
  const std::array<std::string_view, 1> parts{head};
  co_await write_parts(parts);
}

asio::awaitable<bool> SocketExchange::write(std::string_view part) {
  if (!is_stream_) throw std::logic_error("a part of an answer was written without its head");
  if (!part.empty() && head_.method != http::verb::head) {
    const std::string size = is_chunked_ ? fmt::format("{:x}\r\n", part.size()) : "";
    const std::array<std::string_view, 3> parts{size, part, is_chunked_ ? "\r\n" : ""};
    co_await write_parts(parts);
  }
  co_return !failure_;
}

asio::awaitable<void> SocketExchange::write_parts(std::span<const std::string_view> parts) {
  if (failure_) co_return;
  const auto written =
      co_await socket_.write(parts, limits_.write_time, limits_.answer_bytes_per_second);
  if (!written) {
    failure_ = written.error();
    keep_alive_ = false;
    co_return;
  }
  for (const auto part : parts) bytes_out_ += part.size();
}

Result<UpgradedSocket> SocketExchange::upgrade() {
  const bool asks = head_.is_http11 && head_.method == http::verb::get &&
                    head_.fields.count(http::field::upgrade) == 1;
  if (!asks) {
    return Error{errc::bad_request, "The request does not ask for another protocol.",
                 "Send it as a GET of HTTP/1.1 with the field Upgrade."};
  }
  if (!body_.is_done() || buffer_.size() > 0) {
    return Error{errc::bad_request, "Something came behind a request for another protocol.",
                 "Wait for the answer before you send more."};
  }
  if (has_answered()) throw std::logic_error("an exchange was answered twice");
  status_ = static_cast<int>(http::status::switching_protocols);
  http::request<http::empty_body> request(head_.method, head_.target.path, 11);
  for (const auto& field : head_.fields) request.insert(field.name_string(), field.value());
  return UpgradedSocket{socket_.release(), std::move(request), more_headers_};
}

asio::awaitable<void> SocketExchange::gone() {
  co_await socket_.closed_by_peer();
  client_has_left_ = true;
}

asio::awaitable<bool> SocketExchange::finish() {
  if (!answered_since_) answered_since_ = TimedSocket::Clock::now();
  if (is_chunked_ && head_.method != http::verb::head) {
    const std::string trailer = answer_fields(trailers_);
    const std::array<std::string_view, 3> end{"0\r\n", trailer, "\r\n"};
    co_await write_parts(end);
  }
  if (!keep_alive_) co_return false;
  co_return co_await body_.drain();
}

}  // namespace server
