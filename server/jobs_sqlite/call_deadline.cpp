#include "server/jobs_sqlite/call_deadline.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <time.h>

namespace server {
namespace {

// SQLite asks after so many steps of a statement, which take less than a millisecond.
constexpr int steps_between_looks = 10'000;

std::chrono::nanoseconds time_of_this_thread() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

CallDeadline::CallDeadline(SQLite::Database& db) : db_(db) {
  ::sqlite3_progress_handler(db_.getHandle(), steps_between_looks, is_over, this);
}

CallDeadline::~CallDeadline() {
  ::sqlite3_progress_handler(db_.getHandle(), 0, nullptr, nullptr);
}

void CallDeadline::begin(std::chrono::milliseconds most) {
  end_ = most.count() == 0 ? std::chrono::nanoseconds::max() : time_of_this_thread() + most;
}

int CallDeadline::is_over(void* self) {
  const auto* deadline = static_cast<const CallDeadline*>(self);
  return time_of_this_thread() >= deadline->end_ ? 1 : 0;
}

}  // namespace server
