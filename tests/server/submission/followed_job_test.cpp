#include "server/submission/followed_job.h"

#include <chrono>

#include "tests/server/jobs/held.h"
#include "tests/server/submission/submission_fixture.h"

namespace server {
namespace {

using std::chrono::steady_clock;
using test::run;

class FollowedJobTest : public test::SubmissionFixture {
 protected:
  static steady_clock::time_point soon() {
    return steady_clock::now() + std::chrono::milliseconds(20);
  }
  static protocol::Segment segment(int id) {
    return {.id = id, .start = double(id), .end = id + 1.0, .text = " hello"};
  }
  void say(const std::string& id, int number) {
    EXPECT_TRUE(run(io, jobs.add_segments(test::held(io, jobs, id), {segment(number)})));
  }
};

TEST_F(FollowedJobTest, WhatBecomesOfAJobWhenItsFollowerGoes) {
  struct Case {
    Follow follow;
    bool is_let_go;
    std::function<bool(const std::optional<Job>&)> becomes;
  };
  const auto is_gone = [](const auto& job) { return !job; };
  const auto is_cancelled = [](const auto& job) { return job->state == JobState::cancelled; };
  const auto goes_on = [](const auto& job) {
    return job->state == JobState::queued && job->request.detached;
  };
  for (const auto& c :
       {Case{Follow::to_the_end, false, is_gone}, Case{Follow::for_a_while, false, is_cancelled},
        Case{Follow::for_a_while, true, goes_on}, Case{Follow::nobody, false, goes_on}}) {
    auto wish = path_request(c.follow);
    wish.is_let_go = [&c] { return c.is_let_go; };
    auto followed = submit(std::move(wish)).value();
    const std::string id = followed->job().id;
    followed.reset();
    wait_until([&] { return c.becomes(find(id)); });
    if (find(id)) run(io, submission.remove(id, "ada")).value();
  }
}

TEST_F(FollowedJobTest, AJobThatIsKeptGoesOnAndOutlivesTheProcess) {
  auto followed = submit(path_request(Follow::for_a_while)).value();
  const std::string id = followed->job().id;
  EXPECT_FALSE(find(id)->request.detached);
  ASSERT_TRUE(run(io, followed->keep()));
  followed.reset();
  EXPECT_EQ(run(io, jobs.claim(false)).value().id, id);
}

TEST_F(FollowedJobTest, SegmentsComeOnceAndInOrder) {
  const auto followed = submit(path_request(Follow::nobody)).value();
  const std::string id = followed->job().id;
  EXPECT_TRUE(run(io, followed->next(soon())).value().segments.empty());
  run(io, jobs.claim(false)).value();
  say(id, 0);
  say(id, 1);
  EXPECT_EQ(run(io, followed->next(soon())).value().segments.size(), 2u);
  EXPECT_TRUE(run(io, followed->next(soon())).value().segments.empty());
  say(id, 2);
  run(io, jobs.finish(test::held(io, jobs, id), {.state = JobState::done})).value();
  const auto last = run(io, followed->next(soon())).value();
  EXPECT_EQ(last.job.state, JobState::done);
  EXPECT_EQ(last.segments, std::vector{segment(2)});
  EXPECT_EQ(run(io, followed->transcript(last.job)).value().transcript.text, " hello hello hello");
  EXPECT_FALSE(followed->problem_of(last.job));
}

TEST_F(FollowedJobTest, SegmentsBeginAnewWhenTheirSpeakersAreKnown) {
  const auto followed = submit(path_request(Follow::nobody)).value();
  const std::string id = followed->job().id;
  EXPECT_FALSE(run(io, followed->next(soon())).value().begins_anew);
  run(io, jobs.claim(false)).value();
  say(id, 0);
  EXPECT_FALSE(run(io, followed->next(soon())).value().begins_anew);
  say(id, 1);
  JobEnd end;
  end.summary.turns = end.exclusive_turns = {{0, 1, "A"}, {1, 2, "B"}};
  run(io, jobs.finish(test::held(io, jobs, id), end)).value();
  const auto last = run(io, followed->next(soon())).value();
  EXPECT_TRUE(last.begins_anew);
  ASSERT_EQ(last.segments.size(), 2u);
  EXPECT_EQ(last.segments[0].speaker, "A");
  EXPECT_EQ(last.segments[1].speaker, "B");
  const auto late = run(io, submission.follow(id, "ada").next(soon())).value();
  EXPECT_FALSE(late.begins_anew);
  EXPECT_EQ(late.segments, last.segments);
}

// The store's thread does what was asked in that order, so the job ends between two looks at it.
TEST_F(FollowedJobTest, SegmentsAreTheJobsAsItWasFoundEvenIfItsSpeakersBecomeKnownMeanwhile) {
  const auto followed = submit(path_request(Follow::nobody)).value();
  const std::string id = followed->job().id;
  run(io, followed->next(soon())).value();
  run(io, jobs.claim(false)).value();
  say(id, 0);
  EXPECT_EQ(run(io, followed->next(soon())).value().segments, std::vector{segment(0)});
  say(id, 1);
  JobEnd end;
  end.summary.turns = end.exclusive_turns = {{0, 1, "A"}, {1, 2, "B"}};
  std::optional<Result<FollowedJob::News>> before;
  asio::co_spawn(io, followed->next(soon()),
                 [&](std::exception_ptr, auto news) { before = std::move(news); });
  run(io, jobs.finish(test::held(io, jobs, id), end)).value();
  wait_until([&] { return before.has_value(); });
  const auto found = (*before).value();
  EXPECT_EQ(found.job.state, JobState::running);
  EXPECT_EQ(found.segments, std::vector{segment(1)});
  const auto last = run(io, followed->next(soon())).value();
  EXPECT_TRUE(last.begins_anew);
  ASSERT_EQ(last.segments.size(), 2u);
  EXPECT_EQ(last.segments[1].speaker, "B");
}

TEST_F(FollowedJobTest, ATextIsOfOneLookAtItsJob) {
  const auto followed = submit(path_request(Follow::nobody)).value();
  const std::string id = followed->job().id;
  run(io, jobs.claim(false)).value();
  protocol::Segment both = segment(0);
  both.end = 2;
  both.text = " hello there";
  both.words = {{0, 1, " hello"}, {1, 2, " there"}};
  EXPECT_TRUE(run(io, jobs.add_segments(test::held(io, jobs, id), {both})));
  const Job while_running = *find(id);
  JobEnd end;
  end.summary.turns = end.exclusive_turns = {{0, 1, "A"}, {1, 2, "B"}};
  run(io, jobs.finish(test::held(io, jobs, id), end)).value();
  EXPECT_EQ(run(io, jobs.transcript(while_running)).value().transcript.text, " hello there");
  run(io, jobs.remove(id)).value();
  EXPECT_EQ(run(io, jobs.transcript(while_running)).error().code, errc::job_not_found);
}

TEST_F(FollowedJobTest, WaitingEndsWithTheJobOrAtTheDeadline) {
  const auto followed = submit(path_request(Follow::nobody)).value();
  int looks = 0;
  JobWait wait{.deadline = soon(), .looked = [&looks](const Job&) { ++looks; }};
  EXPECT_EQ(run(io, followed->ended(wait)).value().state, JobState::queued);
  EXPECT_GT(looks, 0);
  run(io, jobs.cancel(followed->job().id)).value();
  const Job ended = run(io, followed->ended({})).value();
  EXPECT_EQ(ended.state, JobState::cancelled);
  EXPECT_EQ(followed->problem_of(ended)->code, errc::cancelled);
}

TEST_F(FollowedJobTest, AJobThatNeverBeginsIsNotWaitedFor) {
  const auto followed = submit(path_request(Follow::to_the_end)).value();
  jobs.drain();
  EXPECT_EQ(run(io, followed->ended({})).error().code, errc::draining);
  EXPECT_EQ(run(io, submission.follow("none", "ada").ended({})).error().code, errc::job_not_found);
}

}  // namespace
}  // namespace server
