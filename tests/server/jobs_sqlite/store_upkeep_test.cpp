#include "server/jobs_sqlite/store_upkeep.h"

#include <string>
#include <vector>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using test::segment;
using test::test_time;

class StoreUpkeep : public test::JobStoreTest {};

TEST_F(StoreUpkeep, WhatWasRunningWaitsAgainAndFailsInTheEnd) {
  const std::string id = add().id;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(take(), id);
    EXPECT_EQ(find(id).attempts, attempt);
    reopen();
    EXPECT_EQ(store_->recover().value(), 1);
  }
  const Job job = find(id);
  EXPECT_EQ(job.state, JobState::failed);
  ASSERT_TRUE(job.error);
  EXPECT_EQ(job.error->code, "too_many_attempts");
  EXPECT_EQ(store_->recover().value(), 0);
}

TEST_F(StoreUpkeep, AJobThatGetsFurtherIsNotGivenUp) {
  const std::string id = add().id;
  for (int attempt = 1; attempt <= 10; ++attempt) {
    EXPECT_EQ(take(), id);
    const protocol::Segment one[] = {segment(attempt)};
    ASSERT_TRUE(store_->add_segments(id, one));
    reopen();
    store_->recover().value();
    EXPECT_EQ(find(id).state, JobState::queued);
  }
  EXPECT_EQ(find(id).attempts, 10);
}

TEST_F(StoreUpkeep, AJobMayBeKeptForATimeOfItsOwn) {
  const auto add_kept = [this](double keep_s) {
    JobRequest request{.owner = "ada", .keep_results_s = keep_s};
    request.metadata = {{"call", "17"}};
    return store_->add(std::move(request)).value().id;
  };
  const std::string shorter = add_kept(10), longer = add_kept(10 * settings_.keep_s);
  EXPECT_EQ(take(), shorter);
  store_->finish(shorter, {JobState::done}).value();
  store_->finish(longer, {JobState::cancelled}).value();
  EXPECT_EQ(find(shorter).expires, test_time + 10);
  EXPECT_EQ(find(longer).expires, test_time + 10 * settings_.keep_s);
  test_time += 10;
  EXPECT_EQ(store_->remove_expired().value(), 1);
  reopen();
  const Job job = find(longer);
  EXPECT_EQ(job.request.keep_results_s, 10 * settings_.keep_s);
  EXPECT_EQ(job.request.metadata.at("call"), "17");
  EXPECT_EQ(job.expires, test_time - 10 + 10 * settings_.keep_s) << "the clock was right";
  test_time -= 100;
  EXPECT_EQ(store_->remove_expired().value(), 0);
  EXPECT_EQ(find(longer).expires, test_time + 10 * settings_.keep_s) << "the clock was wrong";
}

TEST_F(StoreUpkeep, ForgetsEndedJobsInTimeAndKnowsTheFilesOfOthers) {
  JobRequest upload{.input = "/spool/x", .input_is_ours = true, .owner = "ada"};
  const std::string ours = store_->add(std::move(upload)).value().id;
  const std::string theirs = add().id, waiting = add().id;
  const auto inputs = store_->inputs().value();
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].file, "/spool/x");
  EXPECT_EQ(inputs[0].owner, "ada");
  EXPECT_EQ(take(), ours);
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(ours, one));
  store_->finish(ours, {JobState::done}).value();
  store_->finish(theirs, {JobState::done}).value();
  test_time += settings_.keep_s - 1;
  EXPECT_TRUE(store_->inputs().value().empty());
  EXPECT_EQ(store_->remove_expired().value(), 0);
  test_time += 1;
  EXPECT_EQ(store_->remove_expired().value(), 2);
  EXPECT_FALSE(store_->find(theirs, "ada").value());
  EXPECT_TRUE(store_->segments(ours, 0, 10).value().empty());
  EXPECT_TRUE(store_->find(waiting, "ada").value());
}

TEST_F(StoreUpkeep, AJobThatEndedUnderAWrongClockIsNotKeptForEver) {
  const std::string id = add().id;
  test_time = 400'000'000;
  store_->finish(id, {JobState::done}).value();
  test_time = 2000;
  EXPECT_EQ(store_->remove_expired().value(), 0);
  test_time = 2000 + settings_.keep_s;
  EXPECT_EQ(store_->remove_expired().value(), 1);
}

TEST_F(StoreUpkeep, KeepsHowItWentAndWhoIsToBeTold) {
  JobRequest request{.input = "/a.wav", .owner = "ada", .webhook = "https://example.org/hook"};
  const std::string id = store_->add(std::move(request)).value().id;
  add();
  EXPECT_TRUE(store_->undelivered().value().empty());
  protocol::Transcript summary{.text = " Wort.", .segments = {segment(0)}, .device = "cpu"};
  summary.warnings = {"a warning"};
  summary.duration = 12;
  summary.language = "de";
  store_->finish(id, {.state = JobState::done, .summary = summary}).value();
  reopen();
  const auto left = store_->undelivered().value();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].summary.device, "cpu");
  EXPECT_EQ(left[0].summary.warnings, summary.warnings);
  EXPECT_EQ(left[0].summary.text, "");
  EXPECT_EQ(left[0].duration, 12);
  EXPECT_EQ(left[0].language, "de");
  ASSERT_TRUE(store_->set_delivered(id));
  EXPECT_TRUE(store_->undelivered().value().empty());
}

TEST_F(StoreUpkeep, WhoIsToBeToldOfManyJobsHidesNobodyElse) {
  std::vector<std::string> ids;
  for (const char* owner : {"ada", "ada", "ada", "bob"}) {
    JobRequest request{.input = "/a.wav", .owner = owner, .webhook = "https://example.org/hook"};
    ids.push_back(store_->add(std::move(request)).value().id);
    store_->finish(ids.back(), {.state = JobState::done}).value();
  }
  std::vector<std::string> order;
  for (const Job& job : store_->undelivered().value()) order.push_back(job.id);
  EXPECT_EQ(order, (std::vector{ids[0], ids[3], ids[1], ids[2]}));
}

TEST_F(StoreUpkeep, OfTooManyEndedJobsOfOneTheOldestGo) {
  settings_.max_kept_per_owner = 2;
  reopen();
  const std::string waiting = add().id;
  std::vector<std::string> ended;
  for (int i = 0; i < 3; ++i) {
    ended.push_back(add().id);
    store_->finish(ended.back(), {.state = JobState::done}).value();
  }
  store_->finish(add("bob").id, {.state = JobState::done}).value();
  EXPECT_EQ(store_->remove_expired().value(), 1);
  std::vector<std::string> left;
  for (const auto& job : store_->list("ada", 10, "").value()) left.push_back(job.id);
  EXPECT_EQ(left, (std::vector<std::string>{ended[2], ended[1], waiting}));
  EXPECT_EQ(store_->list("bob", 10, "").value().size(), 1u);
}

}  // namespace
}  // namespace server
