#include <chrono>
#include <string>
#include <utility>

#include "server/base/race.h"
#include "tests/server/jobs/job_runner_fixture.h"

namespace server {
namespace {

// Two runners of each kind, which bob and mal have with recordings that take longer than the test.
class SpareRunners : public test::JobRunnerTest {
 protected:
  std::string submit_of(const std::string& owner, int seconds, bool detached) {
    JobRequest job = request(seconds, seconds > 60 ? "fake:slow" : "");
    job.owner = owner;
    job.detached = detached;
    return submit(std::move(job));
  }
  void hold_all_runners(bool detached) {
    for (const char* owner : {"bob", "mal", "bob", "mal"}) submit_of(owner, 600, detached);
    test::run_until(io_, [&] { return queue_.running() == 2; });
  }
  void expect_to_serve_ada(bool detached) {
    start().set_owners(3);
    hold_all_runners(detached);
    EXPECT_EQ(ended(submit_of("ada", 6, detached)).state, JobState::done);
    EXPECT_EQ(ended(submit_of("ada", 6, detached)).state, JobState::done) << "and the next";
    EXPECT_EQ(queue_.running(), 2) << "nobody else got more";
  }
};

TEST_F(SpareRunners, BeginAJobOfAnOwnerWithNothingRunning) {
  expect_to_serve_ada(true);
}

TEST_F(SpareRunners, BeginTheClipOfAClientBesideOthersOfOtherOwners) {
  expect_to_serve_ada(false);
}

TEST_F(SpareRunners, BeginOneJobOfAnOwner) {
  start().set_owners(3);
  hold_all_runners(true);
  const std::string first = submit_of("ada", 600, true), second = submit_of("ada", 6, true);
  test::run_until(io_, [&] { return find(first).state == JobState::running; });
  EXPECT_EQ(find(second).state, JobState::queued);
  EXPECT_TRUE(test::run(io_, queue_.cancel(first)).value());
  EXPECT_EQ(ended(second).state, JobState::done) << "as soon as none runs";
}

TEST_F(SpareRunners, ComeWithOwnersWhoAreNew) {
  start().set_owners(1);
  hold_all_runners(true);
  const std::string id = submit_of("ada", 6, true);
  test::run(io_, sleep_for(std::chrono::milliseconds(200)));
  EXPECT_EQ(find(id).state, JobState::queued);
  runner_->set_owners(2);
  EXPECT_EQ(ended(id).state, JobState::done);
}

}  // namespace
}  // namespace server
