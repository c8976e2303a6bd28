#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <optional>
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
      insert.bind(1, std::to_string(++added_));
      insert.bind(2, owner);
      insert.exec();
    }
    transaction.commit();
  }
  void run(const std::string& owner, int jobs) {
    db_.exec("UPDATE jobs SET state = 1 WHERE number IN (SELECT number FROM jobs WHERE owner = '" +
             owner + "' AND state = 0 LIMIT " + std::to_string(jobs) + ")");
  }
  // Returns the steps of SQLite's machine that one look for the next job takes.
  int steps(const ClaimRequest& request = {.most_of_one = 4}, bool is_bulk = false) {
    int count = 0;
    sqlite3_progress_handler(
        db_.getHandle(), 1, [](void* data) { return ++*static_cast<int*>(data), 0; }, &count);
    const auto next = next_job(db_, {on_disk, is_bulk}, request, 1);
    next_ = next ? std::optional(next->number) : std::nullopt;
    sqlite3_progress_handler(db_.getHandle(), 0, nullptr, nullptr);
    return count;
  }

  std::optional<std::int64_t> next_{};
  int added_ = 0;
  test::TemporaryFolder folder_{};
  SQLite::Database db_{(folder_ / "jobs.sqlite").string(),
                       SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(NextJob, CostsTheSameHoweverManyJobsAndOwnersWait) {
  add("ada", 10);
  const int few = steps();
  for (const char* owner : {"bob", "eve", "dan", "fay", "gus"}) add(owner, 1000);
  EXPECT_EQ(steps(), few);
  EXPECT_TRUE(next_);
}

TEST_F(NextJob, PassesOverAnOwnerAtTheLimitWithoutReadingAllTheJobs) {
  add("ada", 500);
  add("bob", 1);
  run("ada", 4);
  const int few = steps();
  EXPECT_TRUE(next_);
  const int few_of_bulk = steps({.most_of_one = 4}, true);
  EXPECT_FALSE(next_);
  add("ada", 5000);
  EXPECT_EQ(steps(), few);
  EXPECT_EQ(steps({.most_of_one = 4}, true), few_of_bulk) << "where no bulk waits";
}

TEST_F(NextJob, LooksForALoadedModelAmongAFewJobsOfEach) {
  add("ada", 500);
  add("bob", 1);
  db_.exec("UPDATE jobs SET model = iif(owner = 'bob', 'large', 'base')");
  const ClaimRequest request{.loaded_models = {"large"}};
  const int few = steps(request);
  EXPECT_EQ(next_, 501);
  add("ada", 5000);
  EXPECT_EQ(steps(request), few);
}

}  // namespace
}  // namespace server
