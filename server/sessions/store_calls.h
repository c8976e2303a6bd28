#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "server/base/blocking_calls.h"
#include "server/sessions/session_store.h"

namespace server {

// The store of sessions and links on a thread of its own, for coroutines: a write waits for the
// disk.
class StoreCalls {
 public:
  explicit StoreCalls(std::unique_ptr<SessionStore> store) : store_(std::move(store)) {}

  // Runs `work` on the store's thread. Errors: those of the work, and queue_full.
  asio::awaitable<Result<void>> run(std::function<Result<void>(SessionStore&)> work) {
    std::function<Result<bool>(std::stop_token)> call =
        [&store = *store_, work = std::move(work)](const std::stop_token&) -> Result<bool> {
      const auto done = work(store);
      if (!done) return done.error();
      return true;
    };
    const auto done = co_await thread_.run<bool>(std::move(call));
    if (!done) co_return done.error();
    co_return Result<void>();
  }

 private:
  static constexpr int most_waiting = 256;

  std::unique_ptr<SessionStore> store_;
  BlockingCalls thread_{1, most_waiting};  // last: it ends before what its work uses
};

}  // namespace server
