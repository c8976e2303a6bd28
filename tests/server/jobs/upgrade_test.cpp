#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "server/jobs/job_store.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

// 0.1.0 wrote this database on 22 November 2026; tests/integration/data/state-0.1.0 describes its
// content.
constexpr char saved[] = SCRIBED_SOURCE_DIR "/tests/integration/data/state-0.1.0/jobs.sql";
constexpr double soon_after = 1795375000;

class UpgradeTest : public testing::Test {
 protected:
  UpgradeTest() {
    SQLite::Database db(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec(test::read_text(saved));
  }
  std::unique_ptr<JobStore> open() {
    return open_job_store({.file = file_, .now = [] { return soon_after; }}).value();
  }
  static std::map<std::string, Job> by_state(JobStore& store, const std::string& owner) {
    std::map<std::string, Job> found;
    for (auto& job : store.list(owner, 100, "").value()) found.emplace(name(job.state), job);
    return found;
  }

  test::TemporaryFolder root_{};
  std::filesystem::path file_ = root_ / "jobs.sqlite";
};

TEST_F(UpgradeTest, AnOldDatabaseHasAllItsJobs) {
  const auto store = open();
  const auto jobs = store->list("ada", 100, "").value();
  ASSERT_EQ(jobs.size(), 6u);
  EXPECT_TRUE(std::ranges::is_sorted(jobs, std::greater{}, &Job::created));
  auto by = by_state(*store, "ada");
  ASSERT_EQ(by.size(), 5u) << "one in every state";
  EXPECT_EQ(by["done"].request.title, "talk.wav");
  EXPECT_EQ(by["done"].request.model, "nano");
  EXPECT_EQ(by["done"].request.options.task, protocol::Task::transcribe);
  EXPECT_TRUE(by["done"].request.options.word_timestamps);
  EXPECT_EQ(by["done"].summary.device, "cpu");
  EXPECT_EQ(by["done"].language, "en");
  EXPECT_EQ(store->segments(by["done"].id, 0, 100).value().size(), 12u);
  EXPECT_EQ(by["failed"].error.value().code, "non_finite_logits");
  EXPECT_EQ(store->list("bob", 100, "").value().size(), 1u);
  EXPECT_TRUE(store->knows_key("ada", "minutes-1").value());
  const auto left = store->undelivered().value();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].request.webhook, "http://127.0.0.1:@PORT@/hook");
}

TEST_F(UpgradeTest, WhatRanGoesOnWithAllThatWasAsked) {
  const auto store = open();
  EXPECT_EQ(store->recover().value(), 1);
  EXPECT_EQ(store->inputs().value().size(), 2u) << "the job whose client waited has ended";
  const auto job = store->take(false).value().value();
  EXPECT_EQ(job.request.options.initial_prompt, "fake:slow");
  EXPECT_EQ(job.request.options.language, "en");
  EXPECT_EQ(job.request.options.beam_size, 2);
  EXPECT_EQ(job.request.decoder.max_seconds, 7200);
  EXPECT_EQ(job.segments, 3);
  EXPECT_EQ(job.position, 15);
  EXPECT_EQ(job.attempts, 2);
}

TEST_F(UpgradeTest, AnUpgradedDatabaseIsOpenedAgain) {
  open();
  const auto store = open();
  EXPECT_EQ(store->list("ada", 100, "").value().size(), 6u);
  EXPECT_EQ(store->take(false).value().value().request.model, "nano");
}

}  // namespace
}  // namespace server
