#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "server/base/blocking_calls.h"
#include "server/base/call_places.h"

namespace server {

// Threads for calls of several owners that take long (BlockingCalls). Owners take turns, and one
// owner gets half of the threads, so the calls of one delay nobody else's by more than one call. A
// call that is cancelled while it waits for its turn never begins.
class FairCalls {
 public:
  // `most_of_one` limits the calls of one owner that run or wait; further ones are refused.
  FairCalls(int threads, int most_of_one)
      : most_of_one_(most_of_one),
        turns_(std::make_shared<CallPlaces>(threads, (threads + 1) / 2)),
        calls_(static_cast<std::size_t>(threads), threads) {}

  // Returns the number of that owner's calls, including those that wait for their turn.
  int calls_of(const std::string& owner) const { return turns_->calls_of(owner); }

  // Waits for the owner's turn, and then runs `work` on one of the threads. `held` is released on
  // the caller's executor when the thread is free again, or if the turn never comes. Errors:
  // too_many_requests, and those of `work`.
  template <class T>
  asio::awaitable<Result<T>> run(std::string owner, std::function<Result<T>(std::stop_token)> work,
                                 std::shared_ptr<void> held = nullptr) {
    struct Held {
      std::shared_ptr<CallPlaces::Place> turn;
      std::shared_ptr<void> of_caller;
    };
    auto waiting = place_for(turns_, std::move(owner), most_of_one_);
    auto turn = co_await std::move(waiting);
    if (!turn) co_return turn.error();
    auto both = std::make_shared<Held>(*std::move(turn), std::move(held));
    auto running = calls_.run<T>(std::move(work), std::move(both));
    auto done = co_await std::move(running);
    co_return done;
  }

 private:
  int most_of_one_;
  std::shared_ptr<CallPlaces> turns_;
  BlockingCalls calls_;
};

}  // namespace server
