#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "server/jobs/claim.h"
#include "tests/server/jobs/job_store_fixture.h"

// Who has claimed a job writes it, and nobody else does.
namespace server {
namespace {

using test::segment;

template <class UnderTest>
class StoreClaims : public test::StoreCases<UnderTest> {
 protected:
  // Begins a job and returns its claim.
  Claim begin(const std::string& id) {
    EXPECT_EQ(this->take(), id);
    return this->held(id);
  }
  // Expects that whoever has this claim can write nothing.
  void expect_lost(const Claim& claim) {
    const std::vector late{segment(7)};
    JobEnd end;
    end.summary.device = "late";
    EXPECT_EQ(code(this->store_->add_segments(claim, late)), errc::claim_lost);
    EXPECT_EQ(code(this->store_->set_progress(claim, 70, 80, "fr")), errc::claim_lost);
    EXPECT_EQ(code(this->store_->requeue(claim, true)), errc::claim_lost);
    EXPECT_EQ(code(this->store_->finish(claim, end)), errc::claim_lost);
  }
  template <class Answer>
  static std::string code(const Answer& answer) {
    return answer ? "" : answer.error().code;
  }
};
TYPED_TEST_SUITE(StoreClaims, test::StoresUnderTest);

TYPED_TEST(StoreClaims, AJobThatNobodyHasBegunIsNobodysToWrite) {
  const Job job = this->add();
  this->expect_lost(claim_of(job));
  EXPECT_EQ(this->find(job.id).state, JobState::queued);
}

TYPED_TEST(StoreClaims, ALateWriteChangesNothing) {
  const std::string id = this->add().id;
  const Claim early = this->begin(id);
  ASSERT_TRUE(this->store_->add_segments(early, std::vector{segment(0), segment(1)}));
  ASSERT_TRUE(this->store_->set_progress(early, 4, 9, "de"));
  ASSERT_TRUE(this->store_->requeue(early, false));
  this->expect_lost(early);
  const Claim later = this->begin(id);
  EXPECT_GT(later.epoch, early.epoch);
  this->expect_lost(early);
  ASSERT_TRUE(this->store_->add_segments(later, std::vector{segment(2)}));
  ASSERT_TRUE(this->store_->finish(later, {.summary = {.device = "cpu"}}));
  this->expect_lost(early);
  this->expect_lost(later);
  const Job job = this->find(id);
  EXPECT_EQ(job.state, JobState::done);
  EXPECT_EQ(job.summary.device, "cpu");
  EXPECT_EQ(job.position, 4);
  EXPECT_EQ(job.language, "de");
  EXPECT_EQ(this->store_->segments(id, 0, 10).value(),
            (std::vector{segment(0), segment(1), segment(2)}))
      << "each once, and what was put back keeps its own";
}

TYPED_TEST(StoreClaims, SeveralRunsWriteAtOnceAndALateOneChangesNothingForTheOthers) {
  const std::string first = this->add().id, late = this->add().id, second = this->add().id;
  const Claim of_first = this->begin(first), of_late = this->begin(late),
              of_second = this->begin(second);
  ASSERT_TRUE(this->store_->requeue(of_late, false));
  const std::vector<RunWrite> writes{{of_second, {segment(0)}, RunProgress{1, 9, "de"}},
                                     {of_late, {segment(0)}, RunProgress{2, 9, "fr"}},
                                     {of_first, {segment(0), segment(1)}, {}}};
  const auto answers = this->store_->write_runs(writes);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_TRUE(answers[0]);
  EXPECT_EQ(this->code(answers[1]), errc::claim_lost);
  EXPECT_TRUE(answers[2]);
  EXPECT_EQ(this->find(first).segments, 2);
  EXPECT_EQ(this->find(second).segments, 1);
  EXPECT_EQ(this->find(second).language, "de");
  EXPECT_EQ(this->find(late).segments, 0);
  EXPECT_EQ(this->find(late).language, "");
}

TYPED_TEST(StoreClaims, WhatRanBeforeACrashIsNoLongerThatRuns) {
  const std::string goes_on = this->add().id, given_up = this->add().id;
  const Claim first = this->begin(goes_on), second = this->begin(given_up);
  this->settings_.max_begins = 1;
  ASSERT_TRUE(this->store_->add_segments(first, std::vector{segment(0)}));
  this->reopen();
  this->store_->recover().value();
  this->expect_lost(first);
  this->expect_lost(second);
  EXPECT_EQ(this->find(goes_on).state, JobState::queued);
  EXPECT_EQ(this->find(given_up).state, JobState::failed);
  EXPECT_EQ(this->store_->segments(goes_on, 0, 10).value(), std::vector{segment(0)});
}

TYPED_TEST(StoreClaims, ALiveJobIsItsSubmittersClaim) {
  const Job job = this->submit({.owner = "ada", .live = true}).value();
  ASSERT_TRUE(this->store_->add_segments(claim_of(job), std::vector{segment(0)}));
  ASSERT_TRUE(this->store_->finish(claim_of(job), {}));
  this->expect_lost(claim_of(job));
}

TYPED_TEST(StoreClaims, AClaimLastsThoughItsClientNoLongerWaits) {
  const std::string id = this->add_waited_for("ada").id;
  const Claim claim = claim_of(this->store_->claim({.waited_for = true}).value().value());
  ASSERT_TRUE(this->store_->detach(id));
  ASSERT_TRUE(this->store_->add_segments(claim, std::vector{segment(0)}));
  ASSERT_TRUE(this->store_->finish(claim, {}));
  EXPECT_EQ(this->find(id).segments, 1);
}

TYPED_TEST(StoreClaims, OfACancelAndAFinishTheFirstIsTheEnd) {
  const std::string cancelled = this->add().id, done = this->add().id;
  const Claim first = this->begin(cancelled), second = this->begin(done);
  EXPECT_EQ(this->store_->cancel(cancelled, "ada").value()->state, JobState::cancelled);
  this->expect_lost(first);
  EXPECT_EQ(this->store_->finish(second, {})->state, JobState::done);
  EXPECT_FALSE(this->store_->cancel(done, "ada").value());
  EXPECT_EQ(this->find(cancelled).state, JobState::cancelled);
  EXPECT_EQ(this->find(done).state, JobState::done);
}

TYPED_TEST(StoreClaims, OthersCancelNothing) {
  const std::string id = this->add("ada").id;
  EXPECT_FALSE(this->store_->cancel(id, "bob").value());
  EXPECT_FALSE(this->store_->cancel("none", std::nullopt).value());
  const Claim claim = this->begin(id);
  EXPECT_FALSE(this->store_->cancel(id, "bob").value());
  EXPECT_TRUE(this->store_->set_progress(claim, 1, 2, "de")) << "its run goes on";
  EXPECT_TRUE(this->store_->cancel(id, std::nullopt).value()) << "an operator may";
}

TYPED_TEST(StoreClaims, ATextWithoutSpeakersSaysSo) {
  JobRequest request{.owner = "ada"};
  request.options.diarize = true;
  const std::string id = this->submit(std::move(request)).value().id;
  ASSERT_TRUE(this->store_->add_segments(this->begin(id), std::vector{segment(0)}));
  const Job ended = this->store_->cancel(id, "ada").value().value();
  ASSERT_EQ(ended.summary.warnings.size(), 1U);
  EXPECT_NE(ended.summary.warnings[0].find("has no speaker labels"), std::string::npos);
}

// Threads claim, write and end jobs, and each job is one's alone.
TYPED_TEST(StoreClaims, NoJobIsBegunTwice) {
  constexpr int threads = 8;
  const int jobs = this->under_.many_jobs;
  for (int i = 0; i < jobs; ++i) this->add("owner" + std::to_string(i % 7), "", i % 10 == 0);
  std::vector<std::vector<std::string>> begun(threads);
  const auto work = [this](std::vector<std::string>& mine) {
    for (bool waited_for : {false, true}) {
      while (true) {
        const auto job = this->under_.call(
            [&](JobStore& store) { return store.claim({.waited_for = waited_for}).value(); });
        if (!job) break;
        mine.push_back(job->id);
        const Claim claim = claim_of(*job);
        const std::vector text{segment(0)};
        EXPECT_TRUE(
            this->under_.call([&](JobStore& store) { return store.add_segments(claim, text); }));
        EXPECT_TRUE(this->under_.call([&](JobStore& store) { return store.finish(claim, {}); }));
      }
    }
  };
  {
    std::vector<std::jthread> running;
    for (auto& mine : begun) running.emplace_back(work, std::ref(mine));
  }
  std::multiset<std::string> all;
  for (const auto& mine : begun) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), static_cast<std::size_t>(jobs));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), static_cast<std::size_t>(jobs));
}

}  // namespace
}  // namespace server
