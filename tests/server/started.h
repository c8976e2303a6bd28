#pragma once

#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace server::test {

// Starts a coroutine that runs beside others and can be cancelled. This object must outlive it.
template <class T>
class Started {
 public:
  Started(boost::asio::io_context& io, boost::asio::awaitable<T> work) {
    auto ended = [this](std::exception_ptr thrown, T result) {
      failure_ = thrown;
      if (!thrown) value_ = std::move(result);
    };
    boost::asio::co_spawn(io, std::move(work),
                          boost::asio::bind_cancellation_slot(signal_.slot(), std::move(ended)));
  }
  Started(const Started&) = delete;

  bool ended() const { return value_ || failure_; }
  bool threw() const { return failure_ != nullptr; }
  const T& value() const {
    if (failure_) std::rethrow_exception(failure_);
    return value_.value();
  }
  void cancel() { signal_.emit(boost::asio::cancellation_type::terminal); }

 private:
  boost::asio::cancellation_signal signal_;
  std::optional<T> value_{};
  std::exception_ptr failure_{};
};

// Runs handlers until `condition` holds. The limit keeps a broken test from hanging.
template <class Condition>
void run_until(boost::asio::io_context& io, Condition condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  io.restart();
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "waited in vain";
    io.run_one_for(std::chrono::milliseconds(20));
    if (io.stopped()) io.restart();
  }
}

}  // namespace server::test
