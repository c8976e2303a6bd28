#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

namespace server {

namespace asio = boost::asio;

// All coroutines here follow two rules, because GCC 12 at -O2 was seen to resume on a broken frame
// without them: what an awaited expression needs beside the awaitable is a variable rather than a
// temporary, and no condition awaits: its value is a variable too.

// Runs both; the first to end decides, by its value or by its exception, and the other is cancelled
// and awaited. (Asio's operator|| waits on after an exception, which would turn a failure into a
// time-out.) A and B must be default constructible, as co_spawn asks.
template <class A, class B>
asio::awaitable<std::variant<A, B>> race(asio::awaitable<A> first, asio::awaitable<B> second) {
  const auto executor = co_await asio::this_coro::executor;
  auto [order, first_failure, a, second_failure, b] =
      co_await asio::experimental::make_parallel_group(
          asio::co_spawn(executor, std::move(first), asio::deferred),
          asio::co_spawn(executor, std::move(second), asio::deferred))
          .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  if (order[0] == 0) {
    if (first_failure) std::rethrow_exception(first_failure);
    co_return std::variant<A, B>(std::in_place_index<0>, std::move(a));
  }
  if (second_failure) std::rethrow_exception(second_failure);
  co_return std::variant<A, B>(std::in_place_index<1>, std::move(b));
}

struct Elapsed {};

inline asio::awaitable<Elapsed> sleep_for(std::chrono::milliseconds time) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, time);
  co_await timer.async_wait(asio::use_awaitable);
  co_return Elapsed{};
}

// Returns nothing when `work` takes longer than `limit`; `work` is cancelled then.
template <class T>
asio::awaitable<std::optional<T>> within(std::chrono::milliseconds limit, asio::awaitable<T> work) {
  auto winner = co_await race(std::move(work), sleep_for(limit));
  if (winner.index() == 1) co_return std::nullopt;
  co_return std::get<0>(std::move(winner));
}

}  // namespace server
