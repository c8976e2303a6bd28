#include "server/jobs_sqlite/sqlite_job_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>

#include "server/jobs/store_copy.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

class SqliteJobStore : public test::JobStoreTest {};

// Returns the bytes that this process has read from files.
std::size_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::size_t bytes = 0;
  file >> name >> bytes;
  return bytes;
}

TEST_F(SqliteJobStore, LongOptionsAreReadForTheWorkAloneAndGoWithIt) {
  constexpr std::size_t long_text = 1 << 20;
  constexpr int jobs = 20;
  for (int i = 0; i < jobs; ++i) {
    JobRequest request{.input = "/a.wav", .owner = "ada"};
    request.options.hotwords = std::string(long_text, 'x');
    request.options.task = protocol::Task::translate;
    ASSERT_TRUE(submit(std::move(request)));
  }
  reopen();
  const auto before = bytes_read();
  const auto listed = store_->list("ada", 100, "").value();
  ASSERT_EQ(listed.size(), static_cast<std::size_t>(jobs));
  EXPECT_EQ(listed[0].request.options.task, protocol::Task::translate);
  ASSERT_TRUE(store_->find(listed[0].id, "ada").value());
  EXPECT_EQ(store_->inputs().value().size(), 0u);
  EXPECT_LT(bytes_read() - before, long_text);
  const auto taken = store_->claim({}).value().value();
  EXPECT_EQ(taken.request.options.hotwords.size(), long_text);
  for (const auto& job : listed) ASSERT_TRUE(store_->cancel(job.id, "ada").value());
  store_.reset();
  SQLite::Database db(settings_.file.string());
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM options").getInt(), 0);
  EXPECT_LT(db.execAndGet("SELECT max(length(request)) FROM jobs").getInt(), 4096);
}

TEST_F(SqliteJobStore, ManyExpiredJobsGoInPieces) {
  for (int i = 0; i < 250; ++i) ASSERT_TRUE(store_->cancel(add().id, "ada").value());
  advance(settings_.keep_s);
  EXPECT_EQ(store_->remove_expired().value(), 200) << "others are answered in between";
  EXPECT_EQ(store_->remove_expired().value(), 50);
  EXPECT_EQ(store_->remove_expired().value(), 0);
}

TEST_F(SqliteJobStore, JobsBeyondThoseOfAnOwnerGoInPiecesBesidePinnedAndOpenOnes) {
  settings_.max_kept_per_owner = 2;
  reopen();
  const std::string pinned = add().id;
  ASSERT_TRUE(store_->cancel(pinned, "ada").value());
  ASSERT_TRUE(store_->change(pinned, "ada", {.pinned = true}));
  const std::string waiting = add().id;
  for (int i = 0; i < 250; ++i) ASSERT_TRUE(store_->cancel(add().id, "ada").value());
  EXPECT_EQ(store_->remove_expired().value(), 200);
  EXPECT_EQ(store_->remove_expired().value(), 48);
  EXPECT_EQ(store_->remove_expired().value(), 0);
  EXPECT_TRUE(store_->find(pinned, "ada").value());
  EXPECT_TRUE(store_->find(waiting, "ada").value());
}

// All jobs of an owner may be many, and their rows are long.
TEST_F(SqliteJobStore, CountsAndExpiryLookIntoIndexesAlone) {
  store_.reset();
  SQLite::Database db(settings_.file.string());
  const auto plan_of = [&](const std::string& sql) {
    SQLite::Statement plan(db, "EXPLAIN QUERY PLAN " + sql);
    plan.executeStep();
    return plan.getColumn(3).getString();
  };
  EXPECT_NE(plan_of("SELECT count(*) FROM main.jobs WHERE owner = 'ada' AND pinned = 1")
                .find("COVERING INDEX jobs_pinned"),
            std::string::npos);
  EXPECT_NE(plan_of("SELECT count(*) FROM main.jobs WHERE owner = 'ada' AND kept = 1 AND "
                    "pinned = 0")
                .find("COVERING INDEX jobs_kept"),
            std::string::npos);
  EXPECT_NE(plan_of("SELECT number FROM main.jobs WHERE expires = 0 AND finished > 0 AND "
                    "pinned = 0 AND kept = 0 AND keep_s = 0 LIMIT 9")
                .find("INDEX jobs_without_expiry"),
            std::string::npos);
  EXPECT_NE(plan_of("SELECT number FROM main.jobs WHERE expires > 0 AND expires <= 5 LIMIT 9")
                .find("COVERING INDEX jobs_expiring"),
            std::string::npos);
  EXPECT_NE(plan_of("SELECT number FROM main.jobs WHERE expires > 0 AND (keep_s > 0) = 1 AND "
                    "expires - keep_s > 5 LIMIT 9")
                .find("INDEX jobs_by_end"),
            std::string::npos);
}

TEST_F(SqliteJobStore, ABackupIsMadeInSlicesAndHasWhatIsWrittenMeanwhile) {
  for (int i = 0; i < 300; ++i) {
    JobRequest request{.input = "/a.wav", .owner = "ada"};
    request.options.hotwords = std::string(20'000, 'x');
    ASSERT_TRUE(submit(std::move(request)));
  }
  int calls = 0;
  const OnStore on_store = [&](const std::function<void(JobStore&)>& call) {
    ++calls;
    add();
    call(*store_);
  };
  const auto copy = copy_store(on_store, folder_ / "copy", folder_);
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_GT(calls, 6) << "six megabytes";
  const auto written = folder_ / "written";
  std::filesystem::copy_file("/proc/self/fd/" + std::to_string(copy->database.get()), written);
  SQLite::Database db(written.string());
  EXPECT_GE(db.execAndGet("SELECT count(*) FROM jobs").getInt(), 300 + calls - 1);
  EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(SqliteJobStore, ABackupThatIsStoppedLeavesNoFile) {
  for (int i = 0; i < 300; ++i) {
    JobRequest request{.input = "/a.wav", .owner = "ada"};
    request.options.hotwords = std::string(20'000, 'x');
    ASSERT_TRUE(submit(std::move(request)));
  }
  std::stop_source stop;
  int calls = 0;
  const OnStore on_store = [&](const std::function<void(JobStore&)>& call) {
    if (++calls == 3) stop.request_stop();
    call(*store_);
  };
  const auto copy = copy_store(on_store, folder_ / "copy", folder_, stop.get_token());
  ASSERT_FALSE(copy);
  EXPECT_EQ(copy.error().code, errc::client_gone);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "copy"));
  EXPECT_LT(calls, 6);
}

TEST_F(SqliteJobStore, IsPrivate) {
  struct ::stat status {};
  ASSERT_EQ(::stat(settings_.file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

// A child process adds jobs, reports each that was accepted, and is killed meanwhile.
TEST_F(SqliteJobStore, WhatWasAcceptedIsThereAfterAKill) {
  store_.reset();
  for (int round = 0; round < 10; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto store = open_job_store(settings_);
      while (store) {
        const auto job = (*store)->submit({.owner = "ada"}, test::no_limits);
        if (!job || ::write(ends[1], job->id.data(), job->id.size()) < 0) ::_exit(1);
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    std::string ids(26 * 5, '\0');
    std::size_t got = 0;
    while (got < ids.size()) {
      const auto n = ::read(ends[0], ids.data() + got, ids.size() - got);
      ASSERT_GT(n, 0);
      got += static_cast<std::size_t>(n);
    }
    ::kill(child, SIGKILL);
    char more[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], more, sizeof more)) > 0;) {
      ids.append(more, static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    reopen();
    for (std::size_t at = 0; at + 26 <= ids.size(); at += 26) {
      EXPECT_TRUE(store_->find(ids.substr(at, 26), "ada").value()) << "in round " << round;
    }
    store_.reset();
  }
}

}  // namespace
}  // namespace server
