#include "tests/server/jobs/job_runner_fixture.h"

namespace server {
namespace {

// Jobs of two models with memory for one: each gives way at once, and the pool looks ten times a
// second.
class JobTurnsTest : public test::JobRunnerTest {
 protected:
  void SetUp() override {
    JobRunnerTest::SetUp();
    settings_.turn = std::chrono::milliseconds(0);
    settings_.look = std::chrono::milliseconds(100);
    start();
  }

  std::string submit_long(const std::string& prompt, bool detached) {
    JobRequest slow = request(60, prompt);
    slow.detached = detached;
    return submit(std::move(slow));
  }
  // Expects that a job of another model ends before that one, which then ends as well.
  void expect_to_give_way(const std::string& id) {
    JobRequest other = request(6);
    other.model = "other";
    EXPECT_EQ(ended(submit(std::move(other))).state, JobState::done);
    EXPECT_FALSE(has_ended(find(id).state)) << "it waits, or goes on";
    EXPECT_EQ(ended(id).state, JobState::done);
    EXPECT_EQ(find(id).attempts, 1) << "to give way is no failure";
  }
};

TEST_F(JobTurnsTest, AJobGivesWayToAnotherModelsAndGoesOnBehindItsLastSegment) {
  for (const bool detached : {true, false}) {
    const std::string id = submit_long("fake:slow", detached);
    wait_for_text(id);
    expect_to_give_way(id);
    EXPECT_EQ(find(id).segments, 12) << "none twice, none lost";
  }
}

TEST_F(JobTurnsTest, AJobOverSilenceGivesWayAndGoesOnWhereItWas) {
  const std::string id = submit_long("fake:quiet", false);
  test::run_until(io_, [&] { return find(id).progress.position >= 5; });
  expect_to_give_way(id);
  EXPECT_EQ(find(id).segments, 1);
  EXPECT_NE(text_of(id), " Quiet from 0.");
}

}  // namespace
}  // namespace server
