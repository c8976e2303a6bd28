#include "server/jobs/job_queue.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/server/jobs/queue_fixture.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class JobQueueTest : public test::QueueFixture {};

TEST_F(JobQueueTest, ARunnerWaitsForWork) {
  std::string taken;
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        const auto job = co_await queue_->claim(false);
        taken = job->id;
      },
      asio::detached);
  settle();
  EXPECT_EQ(taken, "");
  const std::string id = submit().value().id;
  settle();
  EXPECT_EQ(taken, id);
  EXPECT_EQ(queue_->running(), 1);
  EXPECT_EQ(queue_->waiting(), 0);
}

// All places of files are taken, and more of them wait.
TEST_F(JobQueueTest, AClipIsBegunAtOnceBesideFilesThatHoldAllTheirPlaces) {
  std::vector<std::string> begun;
  const auto place = [&](bool waited_for) {
    asio::co_spawn(
        io_,
        [&, waited_for]() -> asio::awaitable<void> {
          const auto job = co_await queue_->claim(waited_for);
          begun.push_back(job->id);
        },
        asio::detached);
  };
  for (int i = 0; i < 2; ++i) place(false);
  for (int i = 0; i < 2; ++i) place(true);
  settle();
  const std::string first = submit("ada").value().id, second = submit("bob").value().id;
  settle();
  submit("eve").value();
  settle();
  EXPECT_EQ(begun, (std::vector{first, second}));
  const auto wait_for_clip = [&] {
    return run(queue_->submit({.input = "/b.wav", .owner = "ada", .detached = false})).value().id;
  };
  const std::string clip = wait_for_clip(), next = wait_for_clip();
  settle();
  EXPECT_EQ(begun, (std::vector{first, second, clip, next})) << "each wakes a place of its own";
  queue_->drain();
  settle();
}

TEST_F(JobQueueTest, AClientThatLeavesItsJobMakesRoomForAnotherOfItsOwner) {
  make({.shares = {.most_waited_for = 1}});
  const auto submit_waited = [&] {
    return run(queue_->submit({.input = "/b.wav", .owner = "ada", .detached = false})).value().id;
  };
  const std::string first = submit_waited(), second = submit_waited();
  EXPECT_EQ(run(queue_->claim(true)).value().id, first);
  std::string taken;
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        const auto job = co_await queue_->claim(true);
        taken = job->id;
      },
      asio::detached);
  settle();
  EXPECT_EQ(taken, "");
  EXPECT_TRUE(run(queue_->detach(first)));
  settle();
  EXPECT_EQ(taken, second);
}

TEST_F(JobQueueTest, AJobThatItsClientHasLeftMakesRoomForItsOwnersFilesWhenItEnds) {
  make({.shares = {.most = 1}});
  const std::string left =
      run(queue_->submit({.input = "/b.wav", .owner = "ada", .detached = false})).value().id;
  EXPECT_EQ(run(queue_->claim(true)).value().id, left);
  EXPECT_TRUE(run(queue_->detach(left)));
  const Claim claim = held(left);
  const std::string file = submit().value().id;
  std::string taken;
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        const auto job = co_await queue_->claim(false);
        taken = job->id;
      },
      asio::detached);
  settle();
  EXPECT_EQ(taken, "");
  EXPECT_TRUE(run(queue_->finish(claim, {.state = JobState::done})));
  settle();
  EXPECT_EQ(taken, file);
}

TEST_F(JobQueueTest, AJobIsBegunForNobodyWhenItsClientLeavesItBeforeItWasBegun) {
  const std::string id =
      run(queue_->submit({.input = "/b.wav", .owner = "ada", .detached = false})).value().id;
  std::string taken;
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        const auto job = co_await queue_->claim(false);
        taken = job->id;
      },
      asio::detached);
  settle();
  EXPECT_EQ(taken, "");
  run(queue_->detach(id)).value();
  settle();
  EXPECT_EQ(taken, id);
}

TEST_F(JobQueueTest, CancellingStopsTheRunner) {
  const std::string id = submit().value().id;
  const Job job = run(queue_->claim(false)).value();
  int stopped = 0;
  queue_->on_cancel(held(id), [&stopped] { ++stopped; });
  EXPECT_TRUE(run(queue_->cancel(id)).value());
  EXPECT_EQ(stopped, 1);
  EXPECT_EQ(state(id), JobState::cancelled);
  const auto late = run(queue_->finish(claim_of(job), {.state = JobState::done}));
  EXPECT_EQ(late.error().code, errc::claim_lost);
  EXPECT_EQ(state(id), JobState::cancelled);
  EXPECT_EQ(queue_->running(), 0);
}

TEST_F(JobQueueTest, AFileOfOursGoesWhenItsJobHasEndedOrCannotBegin) {
  const fs::path input = folder_ / "x.wav";
  const auto submit_ours = [&](const std::string& owner) {
    std::ofstream(input) << "sound";
    return run(queue_->submit({.input = input, .input_is_ours = true, .owner = owner}));
  };
  const std::string id = submit_ours("ada").value().id;
  EXPECT_TRUE(fs::exists(input));
  run(queue_->cancel(id)).value();
  EXPECT_FALSE(fs::exists(input));
  submit("bob").value();
  submit("bob").value();
  EXPECT_FALSE(submit_ours("bob"));
  EXPECT_FALSE(fs::exists(input));
}

TEST_F(JobQueueTest, AFileOfOursIsNotRemovedOnTheThreadOfTheCallers) {
  std::thread::id remover = std::this_thread::get_id();
  make({.remove_input = [&](const std::string&) { remover = std::this_thread::get_id(); }});
  const auto job = run(queue_->submit({.input = "/a.wav", .input_is_ours = true})).value();
  EXPECT_TRUE(run(queue_->cancel(job.id)).value());
  EXPECT_NE(remover, std::this_thread::get_id());
}

TEST_F(JobQueueTest, TellsOfEachEndOnce) {
  std::vector<std::string> ended;
  queue_->on_end([&ended](const Job& job) { ended.push_back(job.id + name(job.state)); });
  const std::string id = submit().value().id;
  run(queue_->cancel(id)).value();
  run(queue_->cancel(id)).value();
  EXPECT_EQ(ended, std::vector<std::string>{id + "cancelled"});
}

TEST_F(JobQueueTest, DrainingRefusesNewJobsAndEndsRunners) {
  std::string code;
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        const auto job = co_await queue_->claim(false);
        code = job.error().code;
      },
      asio::detached);
  settle();
  queue_->drain();
  settle();
  EXPECT_EQ(code, errc::draining);
  const auto refused = submit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::draining);
}

TEST_F(JobQueueTest, ARequeuedJobIsTakenAgain) {
  const std::string id = submit().value().id;
  run(queue_->claim(false)).value();
  run(queue_->requeue(held(id), true)).value();
  const Job again = run(queue_->claim(false)).value();
  EXPECT_EQ(again.id, id);
  EXPECT_EQ(again.attempts, 2);
}

TEST_F(JobQueueTest, ARemovedJobIsCancelledBefore) {
  const std::string id = submit().value().id;
  run(queue_->claim(false)).value();
  bool stopped = false;
  queue_->on_cancel(held(id), [&stopped] { stopped = true; });
  ASSERT_TRUE(run(queue_->remove(id)));
  EXPECT_TRUE(stopped);
  EXPECT_FALSE(run(queue_->find(id, "ada")).value());
}

TEST_F(JobQueueTest, WithoutAnOwnerEverybodysJobsAreFound) {
  make({});
  const auto ada = submit("ada").value(), bob = submit("bob").value();
  EXPECT_EQ(run(queue_->list(std::nullopt, 10, "")).value().size(), 2U);
  EXPECT_EQ(run(queue_->list(std::nullopt, 10, bob.id)).value().front().id, ada.id);
  EXPECT_TRUE(run(queue_->find(ada.id, std::nullopt)).value());
  EXPECT_FALSE(run(queue_->find(ada.id, "bob")).value());
  EXPECT_EQ(run(queue_->list("bob", 10, "")).value().size(), 1U);
}

TEST_F(JobQueueTest, AJobThatEndsBeforeItsSpeakersAreKnownKeepsItsTextAndSaysSo) {
  const auto ended_with = [&](bool diarize, bool has_text) {
    protocol::TranscribeOptions options;
    options.diarize = diarize;
    const Job job =
        run(queue_->submit({.model = "base", .input = "/a", .owner = "ada", .options = options}))
            .value();
    run(queue_->claim(false)).value();
    std::vector<protocol::Segment> text(has_text ? 1 : 0, {.end = 1, .text = " hello"});
    EXPECT_TRUE(run(queue_->add_segments(held(job.id), std::move(text))));
    run(queue_->cancel(job.id)).value();
    return run(queue_->find(job.id, "ada")).value().value();
  };
  const Job cut_short = ended_with(true, true);
  EXPECT_EQ(run(queue_->transcript(cut_short)).value().transcript.text, " hello");
  ASSERT_EQ(cut_short.summary.warnings.size(), 1U);
  EXPECT_NE(cut_short.summary.warnings[0].find("has no speaker labels"), std::string::npos);
  EXPECT_TRUE(ended_with(true, false).summary.warnings.empty());
  EXPECT_TRUE(ended_with(false, true).summary.warnings.empty());
}

}  // namespace
}  // namespace server
