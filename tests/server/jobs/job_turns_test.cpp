#include "tests/server/jobs/job_runner_fixture.h"

namespace server {
namespace {

// Jobs of two models with memory for one: each gives way at once, and the pool looks ten times a
// second.
class JobTurnsTest : public test::JobRunnerTest {
 protected:
  void SetUp() override {
    JobRunnerTest::SetUp();
    settings_.turns.turn = std::chrono::milliseconds(0);
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

// Jobs that listen to all of a recording before they decide anything, and are late after a tenth of
// a second.
class JobsThatListen : public test::JobRunnerTest {
 protected:
  void SetUp() override {
    JobRunnerTest::SetUp();
    behave("listens_first");
    settings_.turns = {.turn = std::chrono::milliseconds(0),
                       .late = std::chrono::milliseconds(100)};
    settings_.look = std::chrono::milliseconds(20);
    start();
  }

  std::string submit_file(int seconds) {
    const std::string id = submit(request(seconds));
    test::run_until(io_, [&] { return opened_ > 0; });
    return id;
  }
  // A clip of another model, for which a client waits.
  Job served_clip() {
    JobRequest clip = request(1);
    clip.model = "other";
    clip.detached = false;
    return ended(submit(std::move(clip)));
  }
};

TEST_F(JobsThatListen, MakeWayForAClientBeforeTheyHaveDecidedAnything) {
  const std::string id = submit_file(300);
  EXPECT_EQ(served_clip().state, JobState::done);
  EXPECT_EQ(find(id).position, 0);
  EXPECT_FALSE(has_ended(find(id).state));
}

// Each of them would begin with its listening again, for ever, if it had no longer turn than
// before.
TEST_F(JobsThatListen, ComeToTheirEndBesideClientsWhoAlwaysWait) {
  const std::string id = submit_file(15);
  int clips = 0;
  while (!has_ended(find(id).state) && clips < 60) {
    ++clips;
    ASSERT_EQ(served_clip().state, JobState::done);
  }
  EXPECT_EQ(find(id).state, JobState::done);
  EXPECT_EQ(find(id).segments, 3) << "none twice, none lost";
  EXPECT_GT(opened_, clips + 1) << "it was begun again";
  EXPECT_EQ(find(id).attempts, 1) << "to give way is no failure";
}

}  // namespace
}  // namespace server
