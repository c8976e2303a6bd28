#include <string>
#include <vector>

#include "server/jobs/turn_rules.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using test::segment;

template <class UnderTest>
class StoreUpkeep : public test::StoreCases<UnderTest> {};
TYPED_TEST_SUITE(StoreUpkeep, test::StoresUnderTest);

TYPED_TEST(StoreUpkeep, TheEndOfADaemonIsNoAttemptWithoutProgress) {
  const std::string id = this->add().id;
  for (int begin = 1; begin <= 9; ++begin) {
    EXPECT_EQ(this->take(), id);
    EXPECT_EQ(this->find(id).attempts, begin);
    EXPECT_EQ(this->find(id).attempts_without_progress, 1);
    this->reopen();
    EXPECT_EQ(this->store_->recover().value(), 1);
    EXPECT_EQ(this->find(id).attempts_without_progress, 0);
  }
  EXPECT_EQ(this->find(id).state, JobState::queued);
}

TYPED_TEST(StoreUpkeep, TheEndOfADaemonForgetsNoDeathOfAWorker) {
  const std::string id = this->add().id;
  EXPECT_EQ(this->take(), id);
  ASSERT_TRUE(this->store_->requeue(this->held(id), true));
  this->advance(longest_wait_s);
  EXPECT_EQ(this->take(), id);
  EXPECT_EQ(this->find(id).attempts_without_progress, 2);
  this->reopen();
  EXPECT_EQ(this->store_->recover().value(), 1);
  EXPECT_EQ(this->find(id).attempts_without_progress, 1) << "the worker's death";
}

TYPED_TEST(StoreUpkeep, WhatEndsDaemonsAgainAndAgainFailsInTheEnd) {
  this->settings_.max_begins = 3;
  const std::string id = this->add().id;
  for (int begin = 1; begin <= 3; ++begin) {
    this->reopen();
    this->store_->recover().value();
    EXPECT_EQ(this->find(id).state, JobState::queued);
    EXPECT_EQ(this->take(), id);
  }
  this->reopen();
  EXPECT_EQ(this->store_->recover().value(), 1);
  const Job job = this->find(id);
  EXPECT_EQ(job.state, JobState::failed);
  ASSERT_TRUE(job.error);
  EXPECT_EQ(job.error->code, "too_many_attempts");
  EXPECT_EQ(this->store_->recover().value(), 0);
}

TYPED_TEST(StoreUpkeep, AJobThatGetsFurtherIsNotGivenUp) {
  this->settings_.max_begins = 3;
  const std::string id = this->add().id;
  for (int attempt = 1; attempt <= 10; ++attempt) {
    EXPECT_EQ(this->take(), id);
    const protocol::Segment one[] = {segment(attempt)};
    ASSERT_TRUE(this->store_->add_segments(this->held(id), one));
    this->reopen();
    this->store_->recover().value();
    EXPECT_EQ(this->find(id).state, JobState::queued);
  }
  EXPECT_EQ(this->find(id).attempts, 10);
}

TYPED_TEST(StoreUpkeep, AJobMayBeKeptForATimeOfItsOwn) {
  const auto add_kept = [this](double keep_s) {
    JobRequest request{.owner = "ada", .keep_results_s = keep_s};
    request.metadata = {{"call", "17"}};
    return this->submit(std::move(request)).value().id;
  };
  const std::string shorter = add_kept(10), longer = add_kept(10 * this->settings_.keep_s);
  EXPECT_EQ(this->take(), shorter);
  this->store_->finish(this->held(shorter), {JobState::done}).value();
  this->store_->cancel(longer, "ada").value();
  EXPECT_EQ(this->find(shorter).expires, this->now() + 10);
  EXPECT_EQ(this->find(longer).expires, this->now() + 10 * this->settings_.keep_s);
  this->advance(10);
  EXPECT_EQ(this->store_->remove_expired().value(), 1);
  this->reopen();
  const Job job = this->find(longer);
  EXPECT_EQ(job.request.keep_results_s, 10 * this->settings_.keep_s);
  EXPECT_EQ(job.request.metadata.at("call"), "17");
  EXPECT_EQ(job.expires, this->now() - 10 + 10 * this->settings_.keep_s) << "the clock was right";
  this->advance(-(100));
  EXPECT_EQ(this->store_->remove_expired().value(), 0);
  EXPECT_EQ(this->find(longer).expires, this->now() + 10 * this->settings_.keep_s)
      << "the clock was wrong";
}

TYPED_TEST(StoreUpkeep, WithoutATimeToLiveEndedJobsStayUntilTheyAreRemoved) {
  this->settings_.keep_s = 0;
  this->reopen();
  const std::string id = this->add().id;
  const std::string shorter = this->submit({.owner = "ada", .keep_results_s = 10}).value().id;
  this->store_->cancel(id, "ada").value();
  this->store_->cancel(shorter, "ada").value();
  EXPECT_EQ(this->find(id).expires, 0);
  EXPECT_EQ(this->find(shorter).expires, this->now() + 10);
  this->advance(100 * 365 * 86400.0);
  EXPECT_EQ(this->store_->remove_expired().value(), 1);
  EXPECT_TRUE(this->store_->find(id, "ada").value());
}

TYPED_TEST(StoreUpkeep, AnotherTimeToLiveIsThatOfJobsWhichHaveEnded) {
  const std::string id = this->add().id;
  this->store_->cancel(id, "ada").value();
  this->settings_.keep_s = 0;
  this->reopen();
  EXPECT_EQ(this->store_->remove_expired().value(), 0);
  EXPECT_EQ(this->find(id).expires, 0);
  this->settings_.keep_s = 60;
  this->reopen();
  EXPECT_EQ(this->store_->remove_expired().value(), 0);
  EXPECT_EQ(this->find(id).expires, this->now() + 60) << "from now on";
  this->advance(60);
  EXPECT_EQ(this->store_->remove_expired().value(), 1);
}

TYPED_TEST(StoreUpkeep, ForgetsEndedJobsInTimeAndKnowsTheFilesOfOthers) {
  JobRequest upload{.input = "/spool/x", .input_is_ours = true, .owner = "ada"};
  const std::string ours = this->submit(std::move(upload)).value().id;
  const std::string theirs = this->add().id, waiting = this->add().id;
  const auto inputs = this->store_->inputs().value();
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].file, "/spool/x");
  EXPECT_EQ(inputs[0].owner, "ada");
  EXPECT_EQ(this->take(), ours);
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(this->store_->add_segments(this->held(ours), one));
  this->store_->finish(this->held(ours), {JobState::done}).value();
  this->store_->cancel(theirs, "ada").value();
  this->advance(this->settings_.keep_s - 1);
  EXPECT_TRUE(this->store_->inputs().value().empty());
  EXPECT_EQ(this->store_->remove_expired().value(), 0);
  this->advance(1);
  EXPECT_EQ(this->store_->remove_expired().value(), 2);
  EXPECT_FALSE(this->store_->find(theirs, "ada").value());
  EXPECT_TRUE(this->store_->segments(ours, 0, 10).value().empty());
  EXPECT_TRUE(this->store_->find(waiting, "ada").value());
}

TYPED_TEST(StoreUpkeep, AJobThatEndedUnderAWrongClockIsNotKeptForEver) {
  const std::string id = this->add().id;
  this->set_now(400'000'000);
  this->store_->cancel(id, "ada").value();
  this->set_now(2000);
  EXPECT_EQ(this->store_->remove_expired().value(), 0);
  this->set_now(2000 + this->settings_.keep_s);
  EXPECT_EQ(this->store_->remove_expired().value(), 1);
}

TYPED_TEST(StoreUpkeep, KeepsHowItWentAndWhoIsToBeTold) {
  JobRequest request{.input = "/a.wav", .owner = "ada", .webhook = "https://example.org/hook"};
  const std::string id = this->submit(std::move(request)).value().id;
  EXPECT_EQ(this->take(), id);
  this->add();
  EXPECT_TRUE(this->store_->undelivered().value().empty());
  protocol::Transcript summary{.text = " Wort.", .segments = {segment(0)}, .device = "cpu"};
  summary.warnings = {"a warning"};
  summary.duration = 12;
  summary.language = "de";
  this->store_->finish(this->held(id), {.state = JobState::done, .summary = summary}).value();
  this->reopen();
  const auto left = this->store_->undelivered().value();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].summary.device, "cpu");
  EXPECT_EQ(left[0].summary.warnings, summary.warnings);
  EXPECT_EQ(left[0].summary.text, "");
  EXPECT_EQ(left[0].duration, 12);
  EXPECT_EQ(left[0].language, "de");
  ASSERT_TRUE(this->store_->set_delivered(id));
  EXPECT_TRUE(this->store_->undelivered().value().empty());
}

TYPED_TEST(StoreUpkeep, WhoIsToBeToldOfManyJobsHidesNobodyElse) {
  std::vector<std::string> ids;
  for (const char* owner : {"ada", "ada", "ada", "bob"}) {
    JobRequest request{.input = "/a.wav", .owner = owner, .webhook = "https://example.org/hook"};
    ids.push_back(this->submit(std::move(request)).value().id);
    this->store_->cancel(ids.back(), std::nullopt).value();
  }
  std::vector<std::string> order;
  for (const Job& job : this->store_->undelivered().value()) order.push_back(job.id);
  EXPECT_EQ(order, (std::vector{ids[0], ids[3], ids[1], ids[2]}));
}

TYPED_TEST(StoreUpkeep, OfTooManyEndedJobsOfOneTheOldestGo) {
  this->settings_.max_kept_per_owner = 2;
  this->reopen();
  const std::string waiting = this->add().id;
  std::vector<std::string> ended;
  for (int i = 0; i < 3; ++i) {
    ended.push_back(this->add().id);
    this->store_->cancel(ended.back(), "ada").value();
  }
  this->store_->cancel(this->add("bob").id, "bob").value();
  EXPECT_EQ(this->store_->remove_expired().value(), 1);
  std::vector<std::string> left;
  for (const auto& job : this->store_->list("ada", 10, "").value()) left.push_back(job.id);
  EXPECT_EQ(left, (std::vector<std::string>{ended[2], ended[1], waiting}));
  EXPECT_EQ(this->store_->list("bob", 10, "").value().size(), 1u);
}

}  // namespace
}  // namespace server
