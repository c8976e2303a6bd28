#include "server/jobs_sqlite/job_rows.h"

#include <gtest/gtest.h>

#include "server/jobs/job_json.h"
#include "server/jobs_sqlite/schema.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class JobRows : public testing::Test {
 protected:
  JobRows() { static_cast<void>(prepare_job_database(db_).value()); }

  void add(const std::string& id, JobState state, const std::string& request = "{}") {
    SQLite::Statement insert(db_,
                             "INSERT INTO jobs (id, owner, state, request, created, detached) "
                             "VALUES (?, 'ada', ?, ?, 1, 1)");
    insert.bind(1, id);
    insert.bind(2, static_cast<int>(state));
    insert.bind(3, request);
    insert.exec();
  }
  Job read(const std::string& id) {
    SQLite::Statement query(db_, "SELECT * FROM jobs WHERE id = ?");
    query.bind(1, id);
    return read_first(query).value();
  }
  void set(const std::string& columns) { db_.exec("UPDATE jobs SET " + columns); }

  test::TemporaryFolder folder_{};
  SQLite::Database db_{(folder_ / "jobs.sqlite").string(),
                       SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(JobRows, EveryColumnReachesTheJob) {
  add("one", JobState::failed, encode(JobRequest{.model = "base", .owner = "ada"}));
  set("attempts = 3, attempts_without_progress = 2, created = 10, started = 11, finished = 12, "
      "expires = 13, "
      "position = 14, duration = 15, language = 'de', segments = 16, detached = 0, "
      "error = '" +
      encode(Error{"worker_died", "it died", "try"}) + "', summary = '" +
      encode(protocol::Transcript{.device = "cpu"}) + "'");
  const Job job = read("one");
  EXPECT_EQ(job.id, "one");
  EXPECT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.request.model, "base");
  EXPECT_EQ(job.attempts, 3);
  EXPECT_EQ(job.attempts_without_progress, 2);
  EXPECT_EQ(job.created, 10);
  EXPECT_EQ(job.started, 11);
  EXPECT_EQ(job.finished, 12);
  EXPECT_EQ(job.expires, 13);
  EXPECT_EQ(job.position, 14);
  EXPECT_EQ(job.duration, 15);
  EXPECT_EQ(job.language, "de");
  EXPECT_EQ(job.segments, 16);
  EXPECT_FALSE(job.request.detached);
  EXPECT_EQ(job.error, (Error{"worker_died", "it died", "try"}));
  EXPECT_EQ(job.summary.device, "cpu");
}

// Another version of scribed may have written such a row.
TEST_F(JobRows, WhatCannotBeReadOfARowTakesNothingElseAlong) {
  add("one", JobState::failed, "no JSON");
  set("error = 'in plain words', summary = '{', language = 'de'");
  const Job job = read("one");
  EXPECT_EQ(job.language, "de");
  EXPECT_EQ(job.request.model, "");
  EXPECT_EQ(job.error, (Error{errc::internal, "in plain words", ""}));
  EXPECT_EQ(job.summary, protocol::Transcript{});
}

TEST_F(JobRows, AQueryGivesAllOfThemOrTheFirst) {
  SQLite::Statement query(db_, "SELECT * FROM jobs ORDER BY number");
  EXPECT_TRUE(read_all(query).empty());
  query.reset();
  EXPECT_FALSE(read_first(query));
  query.reset();
  add("one", JobState::queued);
  add("two", JobState::queued);
  EXPECT_EQ(read_all(query).size(), 2U);
  query.reset();
  EXPECT_EQ(read_first(query)->id, "one");
}

TEST_F(JobRows, AChangeIsMadeWholeThoughOneRowIsWanted) {
  add("one", JobState::queued);
  add("two", JobState::queued);
  SQLite::Statement change(db_, "UPDATE jobs SET position = 5 RETURNING *");
  EXPECT_EQ(read_changed(change)->position, 5);
  EXPECT_EQ(read("one").position, 5);
  EXPECT_EQ(read("two").position, 5);
  SQLite::Statement none(db_, "UPDATE jobs SET position = 6 WHERE id = 'none' RETURNING *");
  EXPECT_FALSE(read_changed(none));
}

TEST_F(JobRows, OptionsAreThoseOfTheJobAndGoWhenItHasEnded) {
  add("open", JobState::running);
  add("ended", JobState::done);
  for (const char* id : {"open", "ended"}) {
    const protocol::TranscribeOptions options{.initial_prompt = id};
    SQLite::Statement insert(db_, "INSERT INTO options SELECT number, ? FROM jobs WHERE id = ?");
    insert.bind(1, encode(options));
    insert.bind(2, id);
    insert.exec();
  }
  Job open = read("open"), ended = read("ended");
  read_options(db_, on_disk, open);
  EXPECT_EQ(open.request.options.initial_prompt, "open");
  drop_options(db_, on_disk);
  open.request.options = {};
  read_options(db_, on_disk, open);
  read_options(db_, on_disk, ended);
  EXPECT_EQ(open.request.options.initial_prompt, "open");
  EXPECT_EQ(ended.request.options.initial_prompt, "");
}

}  // namespace
}  // namespace server
