// Commits that were done, and whose answers were lost.

#include "server/jobs_postgres/held_claims.h"

#include <fmt/format.h>

#include <vector>

#include "server/jobs/run_writes.h"
#include "tests/server/jobs_postgres/cutting_proxy.h"
#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

using test::segment;

class HeldClaimsTest : public test::TwoDaemons {
 protected:
  void SetUp() override {
    TwoDaemons::SetUp();
    if (IsSkipped()) return;
    proxy_.emplace(test::PostgresCluster::instance().folder());
    settings_.address = proxy_->address();
    reopen();
  }
  void TearDown() override {
    store_.reset();
    proxy_.reset();
  }
  template <class Answer>
  static void expect_doubt(const Answer& answer) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, errc::answer_lost);
  }

  std::optional<test::CuttingProxy> proxy_{};
};

TEST_F(HeldClaimsTest, AJobThatWasBegunForNobodyWaitsAgain) {
  const std::string runs = add().id, lost = add().id;
  const Claim held = claim(here());
  proxy_->cut();
  expect_doubt(here().claim({}));
  EXPECT_EQ(find(lost).state, JobState::running) << "nobody knows of it";
  const auto again = here().claim({}).value().value();
  EXPECT_EQ(again.id, lost);
  EXPECT_EQ(again.attempts, 1) << "it was no attempt";
  EXPECT_TRUE(here().finish(held, {})) << "what runs goes on";
  EXPECT_EQ(find(runs).state, JobState::done);
}

TEST_F(HeldClaimsTest, SegmentsAreWrittenOnce) {
  const std::string id = add().id;
  const Claim run = claim(here());
  ASSERT_TRUE(here().add_segments(run, std::vector{segment(0)}));
  proxy_->cut();
  expect_doubt(here().add_segments(run, std::vector{segment(1), segment(2)}));
  ASSERT_TRUE(here().add_segments(run, std::vector{segment(1), segment(2), segment(3)}));
  ASSERT_TRUE(here().add_segments(run, std::vector{segment(4)}));
  EXPECT_EQ(here().segments(id, 0, 10).value(),
            (std::vector{segment(0), segment(1), segment(2), segment(3), segment(4)}));
  EXPECT_EQ(find(id).segments, 5);
}

// The store counts written segments from the first call whose answer was lost, whatever became of
// later calls.
TEST_F(HeldClaimsTest, SegmentsAreWrittenOnceThoughTwoAnswersAreLost) {
  using Loss = test::CuttingProxy::Loss;
  const std::string id = add().id;
  const Claim run = claim(here());
  ASSERT_TRUE(here().add_segments(run, std::vector{segment(0)}));
  std::vector<protocol::Segment> unanswered{segment(1), segment(2), segment(3)};
  for (const Loss loss : {Loss::answer, Loss::commit, Loss::answer}) {
    proxy_->cut(loss);
    expect_doubt(here().add_segments(run, unanswered));
    unanswered.push_back(segment(static_cast<int>(unanswered.size()) + 1));
  }
  ASSERT_TRUE(here().add_segments(run, unanswered));
  const auto written = here().segments(id, 0, 10).value();
  ASSERT_EQ(written.size(), 7U);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(written[static_cast<std::size_t>(i)], segment(i));
}

TEST_F(HeldClaimsTest, ALateWriteOfAnEarlierRunDoesNotGiveUpTheNewOne) {
  const std::string id = add().id, lost = add().id;
  const Claim late = claim(here());
  under_.execute("UPDATE jobs SET state = 0, node = NULL, epoch = epoch + 1 WHERE state = 1");
  const Claim run = claim(here());
  ASSERT_EQ(run.number, late.number);
  EXPECT_EQ(here().set_progress(late, 1, 2, "de").error().code, errc::claim_lost);
  proxy_->cut();
  expect_doubt(here().claim({}));
  EXPECT_EQ(here().claim({}).value()->id, lost);
  EXPECT_TRUE(here().set_progress(run, 1, 2, "de")) << "it was not put back";
}

TEST_F(HeldClaimsTest, ALiveJobThatNobodyWasToldOfGoes) {
  const JobRequest live{.owner = "ada", .live = true};
  const Job held = here().submit(live, test::no_limits).value();
  proxy_->cut();
  expect_doubt(here().submit(live, test::no_limits));
  EXPECT_EQ(here().list("ada", 10, "").value().size(), 2U);
  static_cast<void>(here().claim({}).value());
  EXPECT_EQ(here().list("ada", 10, "").value().size(), 1U);
  EXPECT_TRUE(here().finish(claim_of(held), {})) << "the other one goes on";
}

TEST_F(HeldClaimsTest, AnEndIsToldThoughItsAnswerWasLost) {
  const std::string id = add().id;
  const Claim run = claim(here());
  proxy_->cut();
  expect_doubt(here().finish(run, {.summary = {.device = "cpu"}}));
  EXPECT_EQ(here().finish(run, {.summary = {.device = "cpu"}})->id, id);
  EXPECT_EQ(here().finish(run, {}).error().code, errc::claim_lost) << "once";
}

TEST_F(HeldClaimsTest, ASubmitIsRepeatedByItsKey) {
  proxy_->cut();
  const JobRequest request{.owner = "ada", .idempotency_key = "k"};
  expect_doubt(here().submit(request, test::no_limits));
  ASSERT_TRUE(here().submit(request, test::no_limits));
  EXPECT_EQ(here().list("ada", 10, "").value().size(), 1U);
}

TEST_F(HeldClaimsTest, SegmentsOfSeveralRunsAreWrittenOnce) {
  const std::string first = add().id, second = add().id;
  const Claim of_first = claim(here()), of_second = claim(here());
  const std::vector<RunWrite> writes{{of_first, {segment(0)}, {}},
                                     {of_second, {segment(0), segment(1)}, {}}};
  proxy_->cut();
  for (const auto& answer : here().write_runs(writes)) expect_doubt(answer);
  for (const auto& answer : here().write_runs(writes)) EXPECT_TRUE(answer);
  EXPECT_EQ(find(first).segments, 1);
  EXPECT_EQ(find(second).segments, 2);
}

// One that the database refuses must not keep the others from being written.
TEST_F(HeldClaimsTest, OneRunThatIsAtFaultHoldsUpNoOther) {
  const std::string good = add().id, bad = add().id;
  const Claim of_good = claim(here()), of_bad = claim(here());
  under_.execute(fmt::format("ALTER TABLE segments ADD CHECK (job <> {})", of_bad.number));
  const std::vector<RunWrite> writes{{of_bad, {segment(0)}, {}}, {of_good, {segment(0)}, {}}};
  const auto answers = write_together(here(), writes);
  EXPECT_FALSE(answers[0]);
  EXPECT_TRUE(answers[1]);
  EXPECT_EQ(find(good).segments, 1);
  EXPECT_EQ(find(bad).segments, 0);
}

}  // namespace
}  // namespace server
