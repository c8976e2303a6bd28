#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

namespace server::test {

// Runs the coroutine to its end on `io` and returns its value, or throws its exception. Other work
// on `io`, such as the reading of a child's stderr, goes on with the next call.
template <class T>
T run(boost::asio::io_context& io, boost::asio::awaitable<T> work) {
  std::optional<T> value;
  std::exception_ptr failure;
  boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr thrown, T result) {
    failure = thrown;
    if (!thrown) value = std::move(result);
  });
  io.restart();
  while (!value && !failure && io.run_one() > 0) {
  }
  if (failure) std::rethrow_exception(failure);
  return *std::move(value);
}

}  // namespace server::test
