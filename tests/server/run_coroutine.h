#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

namespace server::test {

// Runs the coroutine to its end on `io` and gives its value, or throws its exception.
template <class T>
T run(boost::asio::io_context& io, boost::asio::awaitable<T> work) {
  std::optional<T> value;
  std::exception_ptr failure;
  boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr thrown, T result) {
    failure = thrown;
    value = std::move(result);
  });
  io.restart();
  io.run();
  if (failure) std::rethrow_exception(failure);
  return *std::move(value);
}

}  // namespace server::test
