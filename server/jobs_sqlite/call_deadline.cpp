#include "server/jobs_sqlite/call_deadline.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

namespace server {
namespace {

// SQLite asks after so many steps of a statement, which take less than a millisecond.
constexpr int steps_between_looks = 10'000;

}  // namespace

CallDeadline::CallDeadline(SQLite::Database& db) : db_(db) {
  ::sqlite3_progress_handler(db_.getHandle(), steps_between_looks, is_over, this);
}

CallDeadline::~CallDeadline() {
  ::sqlite3_progress_handler(db_.getHandle(), 0, nullptr, nullptr);
}

void CallDeadline::begin(std::chrono::milliseconds most) {
  using std::chrono::steady_clock;
  end_ = most.count() == 0 ? steady_clock::time_point::max() : steady_clock::now() + most;
}

int CallDeadline::is_over(void* self) {
  const auto* deadline = static_cast<const CallDeadline*>(self);
  return std::chrono::steady_clock::now() >= deadline->end_ ? 1 : 0;
}

}  // namespace server
