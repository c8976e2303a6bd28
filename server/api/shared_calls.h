#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/base/error.h"
#include "server/base/once_event.h"

namespace server::api {

// Calls that are made once for all who want the same at the same time. A call goes on when those
// who wait for it have left. It is used on one thread.
template <class T>
class SharedCalls {
 public:
  // Waits for the call of that key, and makes it if there is none. Errors: those of the call.
  asio::awaitable<Result<T>> run(std::string key,
                                 std::function<asio::awaitable<Result<T>>()> make) {
    const auto executor = co_await asio::this_coro::executor;
    auto& of_key = (*calls_)[key];
    const bool is_new = of_key == nullptr;
    if (is_new) of_key = std::make_shared<Call>(executor);
    const auto call = of_key;
    if (is_new) {
      asio::co_spawn(executor, make(),
                     [calls = calls_, call, key](std::exception_ptr failure, Result<T> result) {
                       call->result = failure ? failed() : std::move(result);
                       call->ended.set();
                       calls->erase(key);
                     });
    }
    auto waiting = call->ended.wait();
    co_await std::move(waiting);
    co_return *call->result;
  }

 private:
  struct Call {
    explicit Call(const asio::any_io_executor& executor) : ended(executor) {}

    OnceEvent ended;
    std::optional<Result<T>> result{};
  };

  static Result<T> failed() {
    return Error{errc::internal, "The request could not be answered.", "Try again."};
  }

  using Calls = std::map<std::string, std::shared_ptr<Call>>;
  std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
};

}  // namespace server::api
