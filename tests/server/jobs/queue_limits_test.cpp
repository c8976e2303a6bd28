#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "tests/server/jobs/queue_fixture.h"

namespace server {
namespace {

class QueueLimitsTest : public test::QueueFixture {};

TEST_F(QueueLimitsTest, RefusesWhatIsTooMuchOfOneAndTooMuchOfAll) {
  EXPECT_TRUE(submit("ada"));
  EXPECT_TRUE(submit("ada"));
  const auto third = submit("ada");
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, errc::too_many_jobs);
  EXPECT_TRUE(submit("bob"));
  const auto fourth = submit("eve");
  ASSERT_FALSE(fourth);
  EXPECT_EQ(fourth.error().code, errc::queue_full);
  EXPECT_EQ(queue_->waiting(), 3);
}

TEST_F(QueueLimitsTest, AnOwnerWhoIsNoLongerAloneBeginsNoMoreThanAShare) {
  make({});
  std::vector<std::string> begun;
  const auto runner = [&]() -> asio::awaitable<void> {
    const auto job = co_await queue_->claim(false);
    if (job) begun.push_back(job->request.owner);
  };
  for (const char* owner : {"ada", "ada", "ada", "bob"}) EXPECT_TRUE(submit(owner));
  queue_->set_shares({.most = 1, .most_waited_for = 1});
  for (int i = 0; i < 3; ++i) asio::co_spawn(io_, runner, asio::detached);
  settle();
  EXPECT_EQ(begun, (std::vector<std::string>{"ada", "bob"}));
  queue_->set_shares({.most = 2, .most_waited_for = 2});
  settle();
  EXPECT_EQ(begun, (std::vector<std::string>{"ada", "bob", "ada"}));
}

TEST_F(QueueLimitsTest, ASpareRunnerIsForOwnersWithNothingRunning) {
  make({.shares = {.most = 1, .most_waited_for = 1}});
  for (const bool detached : {true, false}) {
    std::vector<std::string> begun, ids;
    const auto runner = [&](bool is_spare) -> asio::awaitable<void> {
      const auto job = co_await queue_->claim(!detached, is_spare);
      if (!job) co_return;
      begun.push_back(job->request.owner + (is_spare ? " by a spare" : ""));
      ids.push_back(job->id);
    };
    const auto add = [&](const std::string& owner) {
      EXPECT_TRUE(run(queue_->submit({.input = "/a.wav", .owner = owner, .detached = detached})));
      settle();
    };
    for (const bool is_spare : {true, true, false, false}) {
      asio::co_spawn(io_, runner(is_spare), asio::detached);
    }
    settle();
    for (const char* owner : {"ada", "bob"}) add(owner);
    EXPECT_EQ(begun, (std::vector<std::string>{"ada", "bob"})) << "by those that are no spares";
    for (const char* owner : {"ada", "bob", "eve", "eve"}) add(owner);
    EXPECT_EQ(begun, (std::vector<std::string>{"ada", "bob", "eve by a spare"}));
    EXPECT_TRUE(run(queue_->cancel(ids.back())).value());
    settle();
    EXPECT_EQ(begun, (std::vector<std::string>{"ada", "bob", "eve by a spare", "eve by a spare"}));
    for (const auto& job : run(queue_->list({}, 100, "")).value())
      EXPECT_TRUE(run(queue_->remove(job.id)));
  }
  queue_->drain();
  settle();
}

TEST_F(QueueLimitsTest, NothingGrowsWhereThereIsNoRoomAndEverythingMayGo) {
  bool is_full = false;
  const auto check_stored = [&](const std::string&, std::uint64_t) -> Result<std::uint64_t> {
    if (is_full) return Error{errc::out_of_disk, "There is no room.", ""};
    return 1000;
  };
  make({.check_stored = check_stored});
  const Job job = submit().value();
  const Claim claim = claim_of(run(queue_->claim(false)).value());
  ASSERT_TRUE(run(queue_->add_segments(claim, {{.start = 0, .end = 1, .text = " said"}})));
  const std::string waiting = submit().value().id;
  is_full = true;
  EXPECT_TRUE(run(queue_->add_segments(claim, {{.start = 1, .end = 2, .text = " more"}})));
  EXPECT_TRUE(run(queue_->finish(claim, {JobState::done}))) << "what runs comes to its end";
  const std::vector<TextEdit> edits{SetText{0, "another"}};
  EXPECT_EQ(run(queue_->edit({job.id, "ada"}, edits)).error().error.code, errc::out_of_disk);
  EXPECT_EQ(run(queue_->restore({job.id, "ada"}, 0)).error().error.code, errc::out_of_disk);
  EXPECT_EQ(run(queue_->change(job.id, "ada", {.title = "mine"})).error().code, errc::out_of_disk);
  EXPECT_EQ(run(queue_->change(job.id, "ada", {.pinned = true})).error().code, errc::out_of_disk);
  EXPECT_EQ(run(queue_->rename_speakers(job.id, "ada", {{"A", "Ada"}})).error().code,
            errc::out_of_disk);
  EXPECT_EQ(submit().error().code, errc::out_of_disk);
  EXPECT_TRUE(run(queue_->submit({.owner = "ada", .detached = false}))) << "it is in memory";
  EXPECT_TRUE(run(queue_->change(job.id, "ada", {.title = "", .pinned = false})));
  EXPECT_TRUE(run(queue_->cancel(waiting, "ada")).value());
  EXPECT_TRUE(run(queue_->remove(job.id)));
}

TEST_F(QueueLimitsTest, AnEditMayTakeWhatIsLeftForItsOwner) {
  make({.check_stored = [](const std::string&, std::uint64_t) { return 1000; }});
  const Job job = submit().value();
  const Claim claim = claim_of(run(queue_->claim(false)).value());
  ASSERT_TRUE(run(queue_->add_segments(claim, {{.start = 0, .end = 1, .text = " said"}})));
  ASSERT_TRUE(run(queue_->finish(claim, {JobState::done})));
  const auto edit = [&](std::size_t bytes) {
    const std::vector<TextEdit> edits{SetText{0, std::string(bytes, 'x')}};
    return run(queue_->edit({job.id, "ada"}, edits));
  };
  EXPECT_EQ(edit(1000).error().error.code, "too_many_bytes");
  EXPECT_TRUE(edit(100));
}

TEST_F(QueueLimitsTest, WhatIsStoredIsToldAsItChanges) {
  StoredBytes stored;
  make({.note_stored = [&stored](StoredBytes now) { stored = std::move(now); }});
  const std::string id = submit().value().id;
  const auto before = stored.at("ada");
  ASSERT_TRUE(run(queue_->change(id, "ada", {.title = "mine"})));
  EXPECT_EQ(stored.at("ada"), before + 4);
  make({.note_stored = [&stored](StoredBytes now) { stored = std::move(now); }});
  EXPECT_EQ(stored.at("ada"), before + 4) << "also after a restart";
  ASSERT_TRUE(run(queue_->remove(id)));
  EXPECT_TRUE(stored.empty());
}

TEST_F(QueueLimitsTest, AnOwnersLimitOfJobsCountsThoseThatRun) {
  make({.limits = {.of_owner = {{"ada", {.open_jobs = 1}}}}});
  const auto first = submit().value();
  EXPECT_EQ(submit().error().code, errc::too_many_jobs);
  ASSERT_TRUE(run(queue_->claim(false)));
  EXPECT_EQ(submit().error().code, errc::too_many_jobs) << "it runs now";
  EXPECT_TRUE(submit("bob")) << "others have no such limit";
  EXPECT_TRUE(run(queue_->cancel(first.id)).value());
  EXPECT_TRUE(submit());
}

TEST_F(QueueLimitsTest, SoundIsCountedOfOwnersWhoHaveALimitForIt) {
  make({.limits = {.of_owner = {{"ada", {.sound_seconds_per_day = 100}}}}});
  const auto transcribe = [&](const std::string& owner, double seconds) {
    const auto job = submit(owner);
    if (!job) return job.error().code;
    const Claim claim = claim_of(run(queue_->claim(false)).value());
    JobEnd end;
    end.summary.duration = seconds;
    EXPECT_TRUE(run(queue_->finish(claim, std::move(end))));
    return std::string();
  };
  EXPECT_EQ(transcribe("ada", 60), "");
  EXPECT_EQ(transcribe("bob", 1000), "");
  EXPECT_EQ(run(queue_->use_of("ada"))->sound_seconds, 60);
  EXPECT_EQ(run(queue_->use_of("bob"))->sound_seconds, 0);
  EXPECT_EQ(transcribe("ada", 60), "") << "what is left may be less than a recording has";
  EXPECT_EQ(transcribe("ada", 1), errc::too_much_sound);
  make({.limits = {.of_owner = {{"ada", {.sound_seconds_per_day = 100}}}}});
  EXPECT_EQ(transcribe("ada", 1), errc::too_much_sound) << "it is on the disk";
  queue_->set_limits({});
  EXPECT_EQ(transcribe("ada", 1), "");
}

TEST_F(QueueLimitsTest, AJobBeginsWhenItIsKnownHowMuchThoseBeforeItTake) {
  make({.limits = {.of_owner = {{"ada", {.sound_seconds_per_day = 100}}}}});
  const auto first = submit("ada").value(), second = submit("ada").value();
  const auto of_bob = submit("bob").value();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run(queue_->claim(false)));
  const auto may_begin = [&](const Job& job) {
    return run(queue_->check_begin(job.request.owner, job.number));
  };
  EXPECT_TRUE(may_begin(first).value());
  EXPECT_FALSE(may_begin(second).value());
  EXPECT_TRUE(may_begin(of_bob).value());
  ASSERT_TRUE(run(queue_->set_progress(held(first.id), {.duration = 90}, "en")));
  EXPECT_TRUE(may_begin(second).value());
  ASSERT_TRUE(run(queue_->set_progress(held(first.id), {.duration = 100}, "en")));
  EXPECT_EQ(may_begin(second).error().code, errc::too_much_sound);
  ASSERT_TRUE(run(queue_->cancel(first.id)).value());
  EXPECT_TRUE(may_begin(second).value()) << "it did not need what it held";
}

TEST_F(QueueLimitsTest, WhatIsBeingTranscribedCountsAsSoundOfTheDay) {
  make({.limits = {.of_owner = {{"ada", {.sound_seconds_per_day = 100}}}}});
  const auto first = submit("ada").value();
  ASSERT_TRUE(run(queue_->claim(false)));
  ASSERT_TRUE(run(queue_->set_progress(held(first.id), {.position = 5, .duration = 90}, "en")));
  EXPECT_EQ(run(queue_->use_of("ada"))->held_seconds, 90);
  const auto second = submit("ada").value();
  EXPECT_EQ(run(queue_->claim(false)).value().id, second.id);
  ASSERT_TRUE(run(queue_->set_progress(held(second.id), {.duration = 10}, "en")));
  EXPECT_EQ(submit("ada").error().code, errc::too_much_sound);
  EXPECT_TRUE(submit("bob"));
  ASSERT_TRUE(run(queue_->cancel(first.id)).value());
  EXPECT_EQ(run(queue_->use_of("ada"))->sound_seconds, 5) << "no more was transcribed";
  EXPECT_TRUE(submit("ada"));
}

}  // namespace
}  // namespace server
