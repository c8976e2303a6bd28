#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace server {

namespace asio = boost::asio;

// Something that happens once, for any number of coroutines to wait for. All of them run on one
// thread.
class OnceEvent {
 public:
  explicit OnceEvent(asio::any_io_executor executor)
      : timer_(std::move(executor), asio::steady_timer::time_point::max()) {}

  void set() {
    has_happened_ = true;
    timer_.cancel();
  }
  bool has_happened() const { return has_happened_; }

  // Waits until the event has happened. Throws operation_aborted when the call is cancelled before;
  // a call that is cancelled later returns. The event must outlive the call.
  asio::awaitable<void> wait() {
    boost::system::error_code woken;
    if (!has_happened_) {
      co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (!has_happened_) throw boost::system::system_error(asio::error::operation_aborted);
  }

 private:
  asio::steady_timer timer_;  // never expires
  bool has_happened_ = false;
};

}  // namespace server
