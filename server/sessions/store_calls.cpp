#include "server/sessions/store_calls.h"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {

// One look at the store. Whoever asks before it has begun may wait for it, too: so a flood of
// unknown tokens costs no more than one look after the other.
struct StoreCalls::Reading {
  explicit Reading(const asio::any_io_executor& executor)
      : done(executor, asio::steady_timer::time_point::max()) {}

  asio::steady_timer done;  // cancelled when there is a result
  std::atomic<bool> has_begun = false;
  std::optional<Result<void>> result{};
};

StoreCalls::StoreCalls(std::unique_ptr<SessionStore> store,
                       std::function<Clock::time_point()> clock)
    : store_(std::move(store)),
      is_shared_(store_->is_shared()),
      clock_(std::move(clock)),
      caught_up_(clock_()) {}

asio::awaitable<Result<void>> StoreCalls::run(std::string owner,
                                              std::function<Result<void>(SessionStore&)> work) {
  auto waiting = place_for(turns_, std::move(owner), most_waiting_of_one);
  const auto turn = co_await std::move(waiting);
  if (!turn) co_return turn.error();
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

void StoreCalls::on_changes(std::function<void(const SessionChanges&)> listener) {
  listeners_.push_back(std::move(listener));
}

asio::awaitable<Result<void>> StoreCalls::catch_up() {
  if (!is_shared_) co_return Result<void>();
  if (!next_ || next_->has_begun) {
    const auto executor = co_await asio::this_coro::executor;
    next_ = std::make_shared<Reading>(executor);
    // It goes on where this caller goes away, since others may wait for it.
    asio::co_spawn(executor, read(next_), asio::detached);
  }
  const auto reading = next_;
  if (reading->result) co_return *reading->result;  // the queue is full: it was told at once
  boost::system::error_code woken;
  auto wait = reading->done.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  co_await std::move(wait);
  if (!reading->result) throw boost::system::system_error(asio::error::operation_aborted);
  co_return *reading->result;
}

asio::awaitable<void> StoreCalls::read(std::shared_ptr<Reading> reading) {
  const auto begun = clock_();
  std::function<Result<SessionChanges>(std::stop_token)> call =
      [&store = *store_, reading, behind = last_](const std::stop_token&) {
        reading->has_begun = true;
        return store.changes(behind);
      };
  auto reading_it = thread_.run<SessionChanges>(std::move(call));
  const auto changes = co_await std::move(reading_it);
  take(changes, begun);
  reading->has_begun = true;  // also where the queue is full
  reading->result = changes ? Result<void>() : Result<void>(changes.error());
  reading->done.cancel();
}

bool StoreCalls::is_outdated() const {
  return is_shared_ && clock_() - caught_up_ > longest_unread;
}

std::optional<Error> StoreCalls::doubt(bool is_known) const {
  const bool is_too_old = is_outdated();
  if (is_known && !is_too_old) return std::nullopt;
  if (failure_ || !is_too_old) return failure_;
  // It was asked, and has said nothing yet: so this process stood still, or the store does.
  return Error{"database_unavailable", "scribed cannot check now who is signed out",
               "Try again later."};
}

void StoreCalls::take(const Result<SessionChanges>& changes, Clock::time_point begun) {
  if (!changes) {
    failure_ = changes.error();
    return;
  }
  failure_.reset();
  caught_up_ = begun;
  last_ = changes->last;
  for (const auto& listener : listeners_) listener(*changes);
}

}  // namespace server
