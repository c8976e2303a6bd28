#pragma once

#include <chrono>

namespace SQLite {
class Database;
}

namespace server {

// Ends statements of a connection after a while: SQLite then fails with SQLITE_INTERRUPT. One
// thread uses it, that of the connection. Only that thread's processor time counts, so a busy
// machine or a slow disk ends nothing.
class CallDeadline {
 public:
  explicit CallDeadline(SQLite::Database& db);
  CallDeadline(const CallDeadline&) = delete;
  ~CallDeadline();

  // Begins a call, whose statements may take so long together; zero: as long as they take.
  void begin(std::chrono::milliseconds most);

 private:
  static int is_over(void* self);

  SQLite::Database& db_;
  std::chrono::nanoseconds end_ = std::chrono::nanoseconds::max();  // of the thread's time
};

}  // namespace server
