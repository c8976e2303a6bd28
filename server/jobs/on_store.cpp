#include "server/jobs/on_store.h"

#include <boost/asio/detached.hpp>
#include <memory>

#include "server/base/race.h"

// How JobQueue looks after its store: whether that answers.
namespace server {

void JobQueue::note_answer(bool answers) {
  store_answers_ = answers;
  if (answers || !is_shared() || std::exchange(asks_again_, true)) return;
  asio::co_spawn(executor_, ask_again(), asio::detached);
}

asio::awaitable<void> JobQueue::ask_again() {
  const std::weak_ptr<const void> life = life_;
  while (!store_answers_) {
    co_await sleep_for(look_interval);
    if (life.expired()) co_return;
    const auto work = [](JobStore& store) { return store.count_waiting(); };
    co_await on_store(work);
    if (life.expired()) co_return;
  }
  asks_again_ = false;
}

// A count is a transaction of its own in a database elsewhere.
bool JobQueue::has_to_count() {
  if (!store_->is_shared()) return true;
  const auto now = Clock::now();
  if (now < next_count_) return false;
  next_count_ = now + look_interval;
  return true;
}

// A database can hang in ways that its client notices late.
bool JobQueue::store_answers() const {
  const auto began = call_began_.load();
  const bool is_late =
      began != Clock::time_point() && Clock::now() - began > settings_.longest_call;
  return store_answers_ && !(is_late && store_->is_shared());
}

}  // namespace server
