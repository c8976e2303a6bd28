#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>

#include "server/http/error_response.h"
#include "server/http/exchange.h"

// A request and the handlers of those who test what a server does around them.
namespace server::test {

inline const std::string get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

inline asio::awaitable<void> read_body(Exchange& exchange) {
  const auto body = co_await exchange.read_body(1'000'000);
  Response response;
  if (!body) response = error_response(body.error());
  co_await exchange.send(std::move(response));
}

inline asio::awaitable<void> wait_forever(Exchange& exchange) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
  co_await exchange.gone();
}

}  // namespace server::test
