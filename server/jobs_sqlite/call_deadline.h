#pragma once

#include <chrono>

namespace SQLite {
class Database;
}

namespace server {

// Ends statements of a connection after a while: SQLite then fails with SQLITE_INTERRUPT. One
// thread uses it, that of the connection.
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
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace server
