#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/base/call_places.h"
#include "server/sessions/session_store.h"

namespace server {

// The store of sessions and links on a thread of its own, for coroutines: a write waits for the
// disk. What other daemons change in a shared store is told to those who keep it in memory. All
// calls are on one thread.
class StoreCalls {
 public:
  using Clock = std::chrono::steady_clock;

  // While the store cannot be read for longer than this, nobody knows who has been signed out.
  static constexpr std::chrono::minutes longest_unread{5};

  // `clock` tells how old is what is known here.
  explicit StoreCalls(std::unique_ptr<SessionStore> store,
                      std::function<Clock::time_point()> clock = Clock::now);
  StoreCalls(const StoreCalls&) = delete;

  // Runs `work` on the store's thread. Owners take turns; what concerns nobody alone has the owner
  // "". Errors: those of the work, and too_many_requests of one owner.
  asio::awaitable<Result<void>> run(std::string owner,
                                    std::function<Result<void>(SessionStore&)> work);

  // Adds what hears of changes. It must outlive the calls.
  void on_changes(std::function<void(const SessionChanges&)> listener);

  bool is_shared() const { return is_shared_; }
  // Learns what others have changed before this call; at once where nobody else changes anything.
  // Errors: those of the store, and queue_full.
  asio::awaitable<Result<void>> catch_up();

  // Returns why a token that is not known here may be valid all the same: the store could not be
  // asked. Nothing: it is not valid.
  const std::optional<Error>& failure() const { return failure_; }
  // Returns whether what is known here is too old to let anybody in.
  bool is_outdated() const;
  // Returns why nobody can say whether a token is valid that is known here, or is not; nothing:
  // what is known here holds.
  std::optional<Error> doubt(bool is_known) const;

 private:
  struct Reading;

  asio::awaitable<void> read(std::shared_ptr<Reading> reading);
  void take(const Result<SessionChanges>& changes, Clock::time_point begun);

  static constexpr int most_waiting = 256;         // of the thread
  static constexpr int most_waiting_of_one = 128;  // of an owner, for their turns

  std::unique_ptr<SessionStore> store_;
  const bool is_shared_;
  const std::function<Clock::time_point()> clock_;
  std::vector<std::function<void(const SessionChanges&)>> listeners_{};
  std::int64_t last_ = 0;            // the change that was heard of last
  Clock::time_point caught_up_;      // when the store was read last
  std::optional<Error> failure_{};   // of the last reading
  std::shared_ptr<Reading> next_{};  // one that has not begun, for all who ask meanwhile
  std::shared_ptr<CallPlaces> turns_ = std::make_shared<CallPlaces>(4, 2);
  BlockingCalls thread_{1, most_waiting};  // last: it ends before what its work uses
};

}  // namespace server
