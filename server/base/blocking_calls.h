#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

// Runs calls that block (libcurl, name resolution, fsync) on a few threads of its own, for
// coroutines of one I/O thread. It must be destroyed before the io_context of its callers. The
// number of calls that wait for a thread is bounded.
class BlockingCalls {
 public:
  BlockingCalls(std::size_t threads, int max_pending)
      : max_pending_(max_pending), threads_(threads) {}

  // Asks the calls that still run to stop, and waits for them.
  ~BlockingCalls() {
    all_.request_stop();
    threads_.join();
  }
  BlockingCalls(const BlockingCalls&) = delete;

  // Runs `work` on one of the threads. Its token says when nobody waits for it any more; what it
  // uses must live as long as this object, and it may not throw. Cancelling the call requests a
  // stop and does not wait for it. `held` is released on the caller's executor when the thread is
  // free again, which may be after the end of this call. Errors: queue_full, and those of `work`.
  template <class T>
  asio::awaitable<Result<T>> run(std::function<Result<T>(std::stop_token)> work,
                                 std::shared_ptr<void> held = nullptr) {
    if (*pending_ >= max_pending_) {
      co_return Error{errc::queue_full, "too many transfers wait already", "Try again later."};
    }
    const auto executor = co_await asio::this_coro::executor;
    const auto call = std::make_shared<Call<T>>(executor);
    const Caller caller(call->stop);
    ++*pending_;
    asio::post(threads_, [call, executor, pending = pending_, all = all_.get_token(),
                          work = std::move(work), held = std::move(held)]() mutable {
      const std::stop_callback at_the_end(all, [&call] { call->stop.request_stop(); });
      auto result = std::make_shared<Result<T>>(work(call->stop.get_token()));
      asio::post(executor, [call, pending, result, held = std::move(held)]() mutable {
        --*pending;  // only now, because a thread that is stuck is still taken
        held.reset();
        call->result = std::move(*result);
        call->done.cancel();
      });
    });
    boost::system::error_code cancelled;
    co_await call->done.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (!call->result) throw boost::system::system_error(asio::error::operation_aborted);
    co_return std::move(*call->result);
  }

 private:
  template <class T>
  struct Call {
    explicit Call(const asio::any_io_executor& executor)
        : done(executor, asio::steady_timer::time_point::max()) {}

    asio::steady_timer done;  // cancelled when there is a result
    std::optional<Result<T>> result{};
    std::stop_source stop{};
  };

  // Requests a stop of the work when its caller waits no longer, for whatever reason.
  struct Caller {
    explicit Caller(std::stop_source source) : stop(std::move(source)) {}
    Caller(const Caller&) = delete;
    ~Caller() { stop.request_stop(); }
    std::stop_source stop;
  };

  int max_pending_;
  std::shared_ptr<int> pending_ = std::make_shared<int>(0);  // used on the callers' thread only
  std::stop_source all_{};
  asio::thread_pool threads_;
};

}  // namespace server
