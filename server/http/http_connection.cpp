#include "server/http/http_connection.h"

#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstring>
#include <exception>
#include <functional>

#include "server/http/answer_head.h"
#include "server/http/error_response.h"
#include "server/http/request_id.h"
#include "server/http/socket_exchange.h"

namespace server {
namespace {

// Bytes that are read at once of a header: most headers fit, and a client that sends nothing costs
// no more.
constexpr std::size_t head_step = 1024;

constexpr int max_empty_lines = 8;

// The status in the log where the client left before there was an answer.
constexpr int status_of_nobody = 499;

// Resets `exchange` to nullptr at the end of its scope.
class ResetPointer {
 public:
  explicit ResetPointer(const SocketExchange*& exchange) : exchange_(exchange) {}
  ResetPointer(const ResetPointer&) = delete;
  ~ResetPointer() { exchange_ = nullptr; }

 private:
  const SocketExchange*& exchange_;
};

// Returns the client by whom requests start in turn. The key is not checked yet, so its fields are
// taken as they came.
StartQueue::Client client_of(const RequestSource& source, const http::fields& fields) {
  boost::system::error_code failure;
  const auto address = asio::ip::make_address(source.peer, failure);
  std::string credential;
  for (const auto field :
       {http::field::authorization, http::field::cookie, http::field::sec_websocket_protocol}) {
    credential += fields[field];
    credential += '\n';
  }
  credential += fields["api-key"];
  return {.network = failure ? source.peer : client_network(address),
          .credential = std::hash<std::string>()(credential)};
}

double seconds_since(HttpConnection::Clock::time_point begin) {
  return std::chrono::duration<double>(HttpConnection::Clock::now() - begin).count();
}

}  // namespace

HttpConnection::HttpConnection(StreamSocket socket, Peer peer, const HttpSetup& setup)
    : socket_(std::move(socket)),
      peer_(std::move(peer)),
      setup_(setup),
      buffer_(std::max(setup.limits.header_bytes, std::size_t{16 * 1024})) {}

void HttpConnection::stop() {
  is_stopped_ = true;
  stop_.emit(asio::cancellation_type::terminal);
}

std::optional<HttpConnection::Clock::time_point> HttpConnection::waits_since() const {
  if (is_stopped_) return std::nullopt;
  return exchange_ ? exchange_->waits_since() : waits_since_;
}

asio::awaitable<void> HttpConnection::run() {
  bool goes_on = true;
  while (goes_on) {
    waits_since_ = Clock::now();
    const bool has_come = co_await wait_for_request();
    if (!has_come) co_return;
    auto head = co_await read_head();
    if (!head && head.error().code == errc::client_gone) co_return;
    if (!head) {
      const Error error = head.error();
      co_await refuse(error);
      break;
    }
    waits_since_.reset();
    RequestHead request = *std::move(head);
    goes_on = co_await serve(std::move(request));
  }
  waits_since_ = Clock::now();
  co_await linger();
}

// Returns false if no request has come in time. A connection that waits holds no buffer.
asio::awaitable<bool> HttpConnection::wait_for_request() {
  const auto& limits = setup_.limits;
  head_deadline_ = Clock::now() + limits.header_time;
  const bool is_first = std::exchange(is_first_, false);
  if (buffer_.size() > 0) {
    // The request came together with the last one. Other connections have their turn in between.
    const auto executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);
    co_return true;
  }
  if (setup_.is_ending) co_return false;
  buffer_.shrink_to_fit();
  is_idle_ = true;
  const auto deadline = is_first ? head_deadline_ : Clock::now() + limits.idle_time;
  const auto ready = co_await socket_.readable(deadline);
  is_idle_ = false;
  if (!is_first) head_deadline_ = Clock::now() + limits.header_time;
  co_return ready.has_value();
}

asio::awaitable<Result<RequestHead>> HttpConnection::read_head() {
  std::size_t seen = 0;
  int empty_lines = 0;
  while (true) {
    // Empty lines before a request are no part of it; old clients sent one behind a body.
    while (buffer_.size() >= 2 && std::memcmp(buffer_.data().data(), "\r\n", 2) == 0) {
      buffer_.consume(2);
      if (++empty_lines > max_empty_lines) {
        co_return Error{errc::bad_request, "Too many empty lines stand before the request."};
      }
    }
    const std::string_view bytes(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    const auto end = find_head_end(bytes, std::min(seen, bytes.size()), setup_.limits);
    if (!end) co_return end.error();
    if (*end > 0) {
      auto head = parse_head(bytes.substr(0, *end), setup_.limits);
      buffer_.consume(*end);
      co_return head;
    }
    seen = bytes.size();
    const auto room = buffer_.prepare(std::min(head_step, buffer_.max_size() - buffer_.size()));
    const std::span<char> free(static_cast<char*>(room.data()), room.size());
    const auto got = co_await socket_.read_some(free, head_deadline_);
    if (!got) co_return got.error();
    if (*got == 0) co_return Error{errc::client_gone, "The client has closed the connection."};
    buffer_.commit(*got);
  }
}

// Answers what could not be read as a request.
asio::awaitable<void> HttpConnection::refuse(const Error& error) {
  const Response response = error_response(error);
  const std::string id = new_request_id();
  const AnswerFraming framing{.length = response.body.size(), .keep_alive = false};
  const std::string head = answer_head(response, framing, id);
  const std::array<std::string_view, 2> parts{head, response.body};
  const auto written = co_await socket_.write(parts, setup_.limits.write_time,
                                              setup_.limits.answer_bytes_per_second);
  if (!setup_.on_done) co_return;
  setup_.on_done({.status = static_cast<int>(response.status),
                  .bytes_out = written ? head.size() + response.body.size() : 0,
                  .trace = {.request_id = id},
                  .peer = peer_.name(),
                  .error = error.code});
}

// Returns true if the connection can take another request.
asio::awaitable<bool> HttpConnection::serve(RequestHead head) {
  const auto begin = Clock::now();
  RequestSource source = setup_.proxies.source_of(peer_, head.fields);
  SocketExchange::Turn turn{*setup_.starts, client_of(source, head.fields)};
  auto starting = turn.starts.start(turn.client);
  co_await std::move(starting);
  SocketExchange exchange(socket_, buffer_, setup_.limits, std::move(head), std::move(source),
                          *setup_.bodies, std::move(turn), setup_.is_ending);
  exchange_ = &exchange;
  const ResetPointer at_the_end(exchange_);
  std::string failure = co_await answer(exchange);
  bool goes_on = false;
  if (failure.empty()) goes_on = co_await exchange.finish();
  if (failure.empty() && exchange.failure()) failure = exchange.failure()->code;
  if (failure.empty()) failure = exchange.error();
  if (setup_.on_done) {
    setup_.on_done({.method = exchange.head().method_name,
                    .path = exchange.head().target.path,
                    .status = exchange.has_answered() ? exchange.status() : status_of_nobody,
                    .bytes_in = exchange.body().received(),
                    .bytes_out = exchange.bytes_out(),
                    .seconds = seconds_since(begin),
                    .trace = exchange.trace(),
                    .key = exchange.key(),
                    .peer = exchange.peer(),
                    .error = std::move(failure)});
  }
  co_return goes_on;
}

// Lets the handler answer, and returns the text of what it threw. A stream that it had begun is
// left without an end then.
asio::awaitable<std::string> HttpConnection::answer(SocketExchange& exchange) {
  std::string failure;
  try {
    co_await setup_.dispatch(exchange);
    if (!exchange.has_answered()) failure = "the handler gave no answer";
  } catch (const std::exception& thrown) {
    failure = thrown.what();
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) co_return "stopped";
  if (exchange.client_has_left() && !exchange.has_answered()) co_return errc::client_gone;
  if (!failure.empty() && !exchange.has_answered()) {
    const Error error{errc::internal, "scribed failed at this request.",
                      "The log has details under the x-request-id of the response."};
    auto response = error_response(error);
    co_await exchange.send(std::move(response));
  }
  co_return failure;
}

// Closing while the client still sends would destroy the answer on its way to it.
asio::awaitable<void> HttpConnection::linger() {
  socket_.shutdown_send();
  const auto deadline = Clock::now() + setup_.limits.linger_time;
  buffer_.clear();
  buffer_.shrink_to_fit();
  std::array<char, 2048> dropped;
  std::uint64_t bytes = 0;
  while (bytes < setup_.limits.linger_bytes) {
    const auto got = co_await socket_.read_some(dropped, deadline);
    if (!got || *got == 0) co_return;
    bytes += *got;
  }
}

}  // namespace server
