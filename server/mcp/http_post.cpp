#include "server/mcp/http_post.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_text.h"
#include "server/base/race.h"
#include "server/http/sse.h"

namespace server {

namespace mcp = protocol::mcp;

namespace {

constexpr std::size_t max_unsent = 256;  // messages; progress beyond that is left out
constexpr std::chrono::seconds step{1};

bool is_answer(const mcp::Json& message) {
  return !message.contains("method");
}

// Returns the number of JSON-RPC that a message tells of its error.
std::string code_of(const mcp::Json& message) {
  const auto error = message.find("error");
  const bool has_code = error != message.end() && error->is_object() && error->contains("code");
  return has_code ? protocol::json::dump((*error)["code"]) : "";
}

mcp::Json ending() {
  return protocol::jsonrpc::error_message({},
                                          {protocol::jsonrpc::internal_error,
                                           "scribed is about to end. Try again when it is back.",
                                           {}});
}

// Answers in place of a message that may be long, and that a client who does not read would hold in
// memory.
Response no_room_for(const mcp::Json& message, const Error& error) {
  const auto id = message.is_object() ? message.value("id", mcp::Json()) : mcp::Json();
  const protocol::jsonrpc::Error told{
      protocol::jsonrpc::internal_error, protocol::error_text(error), {}};
  Response response =
      json_response(http_status(error.code), protocol::jsonrpc::error_message(id, told));
  response.headers = {{"Retry-After", "5"}};
  return response;
}

asio::awaitable<bool> gone(Exchange& exchange) {
  co_await exchange.gone();
  co_return true;
}

}  // namespace

Response json_response(int status, const mcp::Json& message) {
  return {.status = static_cast<http::status>(status),
          .body = protocol::json::dump(message),
          .error = status < 400 ? "" : code_of(message)};
}

HttpPost::HttpPost(asio::any_io_executor executor, const mcp::Features& features,
                   CallHandler& handler, Settings settings)
    : settings_(std::move(settings)),
      news_(executor),
      server_(executor, features, handler, [this](const mcp::Json& message) { keep(message); },
              {.principal = settings_.principal,
               .trace = settings_.trace,
               .revision = settings_.revision}) {}

void HttpPost::keep(const mcp::Json& message) {
  // Without a stream only answers are sent.
  const bool has_room = settings_.may_stream && unsent_.size() < max_unsent;
  if (!is_answer(message) && !has_room) return;
  unsent_.push_back(message);
  news_.cancel();
}

void HttpPost::receive(const mcp::Json& message) {
  server_.receive_value(message);
  news_.cancel();  // perhaps nothing is left to wait for
}

void HttpPost::close() {
  closes_ = true;
  server_.close();
  news_.cancel();
}

asio::awaitable<void> HttpPost::news_within(asio::steady_timer::duration limit) {
  news_.expires_after(limit);
  boost::system::error_code woken;
  co_await news_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

asio::awaitable<bool> HttpPost::answer(Exchange& exchange, mcp::Json message) {
  is_batch_ = message.is_array();
  server_.receive_value(message);
  message = nullptr;  // released, because calls may take long
  if (is_idle()) {
    co_await send_json(exchange);
    co_return true;
  }
  auto delivered = deliver(exchange);
  auto left = gone(exchange);
  const auto end = co_await race(std::move(delivered), std::move(left));
  co_return end.index() == 0 && std::get<0>(end);
}

void HttpPost::let_go() {
  server_.let_go();
  news_.cancel();
}

asio::awaitable<void> HttpPost::end() {
  if (settings_.era == mcp::Era::modern) server_.close();
  while (server_.calls() > 0 && !closes_) {
    unsent_.clear();
    co_await news_within(step);
  }
}

// Returns false if the client is gone.
asio::awaitable<bool> HttpPost::deliver(Exchange& exchange) {
  const auto stream_from = std::chrono::steady_clock::now() + settings_.keep_alive;
  while (!is_idle()) {
    const auto left = stream_from - std::chrono::steady_clock::now();
    const bool has_reason = !unsent_.empty() || left <= left.zero();
    if (settings_.may_stream && has_reason) break;
    co_await news_within(settings_.may_stream ? left : settings_.keep_alive);
  }
  if (is_idle() && (unsent_.size() <= 1 || !settings_.may_stream)) {
    co_await send_json(exchange);
    co_return true;
  }
  const bool sent = co_await stream(exchange);
  co_return sent;
}

// A batch is answered by one list, of answers that came at once and of later ones.
mcp::Json HttpPost::all_answers() {
  if (!is_batch_ && unsent_.size() == 1) return std::move(unsent_.front());
  mcp::Json all = mcp::Json::array();
  for (auto& message : unsent_) {
    if (message.is_array()) {
      for (auto& one : message) all.push_back(std::move(one));
    } else {
      all.push_back(std::move(message));
    }
  }
  return all;
}

asio::awaitable<void> HttpPost::send_json(Exchange& exchange) {
  if (unsent_.empty()) {
    // Another POST or the daemon cancelled the call.
    Response none = closes_ ? json_response(503, ending())
                            : Response{.status = http::status::accepted, .content_type = ""};
    co_await exchange.send(std::move(none));
    co_return;
  }
  const mcp::Json all = all_answers();
  auto response = json_response(mcp::http_status(settings_.era, all), all);
  auto holding = exchange.hold(response.body.size());
  const auto held = co_await std::move(holding);
  if (!held) response = no_room_for(all, held.error());
  co_await exchange.send(std::move(response));
}

asio::awaitable<bool> HttpPost::stream(Exchange& exchange) {
  const std::string quiet = sse_comment();
  auto head = sse_head();
  co_await exchange.start_stream(std::move(head));
  for (;;) {
    while (!unsent_.empty()) {
      std::string event = sse_data(protocol::json::dump(unsent_.front()));
      auto holding = exchange.hold(event.size());
      const auto held = co_await std::move(holding);
      if (!held) event = sse_data(no_room_for(unsent_.front(), held.error()).body);
      unsent_.pop_front();
      const bool sent = co_await exchange.write(event);
      if (!sent) co_return false;
    }
    if (is_idle()) co_return true;
    co_await news_within(settings_.keep_alive);
    if (!unsent_.empty() || is_idle()) continue;
    const bool alive = co_await exchange.write(quiet);
    if (!alive) co_return false;
  }
}

}  // namespace server
