#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

#include "server/jobs_sqlite/queue_order.h"
#include "server/jobs_sqlite/schema.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

// Rows that wait, made without a store.
class NextJob : public testing::Test {
 protected:
  NextJob() { static_cast<void>(prepare_job_database(db_).value()); }

  void add(const std::string& owner, int jobs) {
    SQLite::Transaction transaction(db_);
    for (int i = 0; i < jobs; ++i) {
      SQLite::Statement insert(db_,
                               "INSERT INTO jobs (id, owner, state, request, created, detached) "
                               "VALUES (?, ?, 0, '{}', 1, 1)");
      insert.bind(1, owner + std::to_string(i));
      insert.bind(2, owner);
      insert.exec();
    }
    transaction.commit();
  }
  // Returns the steps of SQLite's machine that one look for the next job takes.
  int steps() {
    int count = 0;
    sqlite3_progress_handler(
        db_.getHandle(), 1, [](void* data) { return ++*static_cast<int*>(data), 0; }, &count);
    EXPECT_TRUE(next_job(db_, on_disk, 4));
    sqlite3_progress_handler(db_.getHandle(), 0, nullptr, nullptr);
    return count;
  }

  test::TemporaryFolder folder_{};
  SQLite::Database db_{(folder_ / "jobs.sqlite").string(),
                       SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(NextJob, CostsWithOwnersAndNotWithWhatWaits) {
  for (const char* owner : {"ada", "bob", "eve"}) add(owner, 10);
  const int few = steps();
  for (const char* owner : {"dan", "fay", "gus"}) add(owner, 1);
  const int more_owners = steps();
  EXPECT_GT(more_owners, few);
  db_.exec("DELETE FROM jobs WHERE owner IN ('dan', 'fay', 'gus')");
  db_.exec("DELETE FROM jobs WHERE owner = 'eve'");
  add("eve", 5000);
  EXPECT_EQ(steps(), few);
}

}  // namespace
}  // namespace server
