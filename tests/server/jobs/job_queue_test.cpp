#include "server/jobs/job_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "server/base/random_id.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/held.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class JobQueueTest : public testing::Test {
 protected:
  JobQueueTest() : folder_(fs::temp_directory_path() / ("scribed-queue-" + random_id())) {
    fs::create_directory(folder_);
    make({.limits = {.max_waiting = 3, .max_waiting_per_owner = 2}});
  }
  ~JobQueueTest() override {
    queue_.reset();
    fs::remove_all(folder_);
  }

  void make(JobQueue::Settings settings) {
    queue_.reset();
    auto store = open_job_store({.file = folder_ / "jobs.sqlite"}).value();
    queue_ = std::make_unique<JobQueue>(io_.get_executor(), std::move(store), settings);
  }

  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }

  Result<Job> submit(const std::string& owner = "ada") {
    return run(queue_->submit({.model = "base", .input = "/a.wav", .owner = owner}));
  }
  JobState state(const std::string& id) {
    return run(queue_->find(id, "ada")).value().value().state;
  }
  Claim held(const std::string& id) { return test::held(io_, *queue_, id); }
  // Runs handlers until none is ready. The database's thread does one thing after the other, so an
  // answer of its means that all that was asked before it is done; what comes of that asks again.
  void settle() {
    for (int round = 0; round < 8; ++round) {
      ASSERT_FALSE(run(queue_->find("none", "nobody")).value());
      io_.restart();
      io_.poll();
    }
  }

  fs::path folder_;
  asio::io_context io_;
  std::unique_ptr<JobQueue> queue_;
};

TEST_F(JobQueueTest, RefusesWhatIsTooMuchOfOneAndTooMuchOfAll) {
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

TEST_F(JobQueueTest, AnOwnerWhoIsNoLongerAloneBeginsNoMoreThanAShare) {
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

TEST_F(JobQueueTest, NothingGrowsWhereThereIsNoRoomAndEverythingMayGo) {
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

TEST_F(JobQueueTest, AnEditMayTakeWhatIsLeftForItsOwner) {
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

TEST_F(JobQueueTest, WhatIsStoredIsToldAsItChanges) {
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

TEST_F(JobQueueTest, AnOwnersLimitOfJobsCountsThoseThatRun) {
  make({.limits = {.of_owner = {{"ada", {.open_jobs = 1}}}}});
  const auto first = submit().value();
  EXPECT_EQ(submit().error().code, errc::too_many_jobs);
  ASSERT_TRUE(run(queue_->claim(false)));
  EXPECT_EQ(submit().error().code, errc::too_many_jobs) << "it runs now";
  EXPECT_TRUE(submit("bob")) << "others have no such limit";
  EXPECT_TRUE(run(queue_->cancel(first.id)).value());
  EXPECT_TRUE(submit());
}

TEST_F(JobQueueTest, SoundIsCountedOfOwnersWhoHaveALimitForIt) {
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

TEST_F(JobQueueTest, WhatIsBeingTranscribedCountsAsSoundOfTheDay) {
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
  EXPECT_EQ(run(queue_->transcript(cut_short)).value().text, " hello");
  ASSERT_EQ(cut_short.summary.warnings.size(), 1U);
  EXPECT_NE(cut_short.summary.warnings[0].find("names no speakers"), std::string::npos);
  EXPECT_TRUE(ended_with(true, false).summary.warnings.empty());
  EXPECT_TRUE(ended_with(false, true).summary.warnings.empty());
}

class LongTextTest : public JobQueueTest {
 protected:
  // Adds a job that has ended with a text of a megabyte.
  std::string add_long_text() {
    const std::string id = submit().value().id;
    run(queue_->claim(false)).value();
    std::vector<protocol::Segment> said(1000);
    for (auto& segment : said) segment.text = " number " + std::string(1000, 'a');
    EXPECT_TRUE(run(queue_->add_segments(held(id), said)));
    EXPECT_TRUE(run(queue_->finish(held(id), {})));
    return id;
  }
  // Begins an edit of all segments.
  void begin_edit(const std::string& id) {
    std::vector<TextEdit> edits{ReplaceText{"number", "renamed", {}}};
    asio::co_spawn(io_, queue_->edit({id, "ada", {}}, std::move(edits)),
                   asio::bind_cancellation_slot(
                       signal_.slot(), [this](std::exception_ptr failure, EditResult change) {
                         has_ended_ = true;
                         is_made_ = !failure && change;
                       }));
  }
  protocol::Transcript transcript(const std::string& id) {
    const auto job = run(queue_->find(id, "ada")).value().value();
    return run(queue_->transcript(job)).value();
  }

  asio::cancellation_signal signal_{};
  bool has_ended_ = false;
  bool is_made_ = false;
};

TEST_F(LongTextTest, OthersAreAnsweredWhileALongEditIsMade) {
  const std::string id = add_long_text();
  begin_edit(id);
  int answered = 0;
  while (!has_ended_) {
    EXPECT_FALSE(run(queue_->find("none", "eve")).value());
    ++answered;
  }
  EXPECT_TRUE(is_made_);
  EXPECT_GT(answered, 5) << "not only before and after it";
  EXPECT_EQ(transcript(id).segments[999].text.substr(0, 8), " renamed");
}

TEST_F(LongTextTest, AnEditWhoseCallerIsCancelledChangesNothing) {
  const std::string id = add_long_text();
  begin_edit(id);
  signal_.emit(asio::cancellation_type::terminal);
  const auto next = run(queue_->edit({id, "ada", {}}, {SetText{7, "seven"}}));
  ASSERT_TRUE(next) << next.error().error.message;
  EXPECT_EQ(next->version, 1) << "it came behind the first one, which has made none";
  EXPECT_TRUE(has_ended_);
  EXPECT_FALSE(is_made_);
  EXPECT_EQ(transcript(id).segments[999].text.substr(0, 8), " number ");
}

TEST_F(LongTextTest, EditsOfOneOwnerAreMadeInOrder) {
  const std::string id = add_long_text();
  begin_edit(id);
  const auto next = run(queue_->edit({id, "ada", {}}, {SetText{7, "seven"}}));
  ASSERT_TRUE(next) << next.error().error.message;
  EXPECT_EQ(next->version, 2);
  const auto now = transcript(id);
  EXPECT_EQ(now.segments[7].text, " seven");
  EXPECT_EQ(now.segments[8].text.substr(0, 8), " renamed");
}

TEST_F(LongTextTest, EditsThatComeAtOnceStoreNoMoreThanTheirOwnerMay) {
  constexpr std::uint64_t most = 8'000'000;
  std::atomic<std::uint64_t> stored = 0;  // noted on the store's thread
  const auto check_stored = [&](const std::string&, std::uint64_t) -> Result<std::uint64_t> {
    if (stored >= most) return Error{"too_many_bytes", "There is no room.", ""};
    return most - stored;
  };
  make(
      {.check_stored = check_stored, .note_stored = [&](StoredBytes now) { stored = now["ada"]; }});
  const std::string id = add_long_text();
  std::vector<TextEdit> edits;
  for (int i = 0; i < 1000; ++i) edits.push_back(SetText{i, std::string(1000, 'b')});
  int made = 0, refused = 0;
  const auto count = [&](std::exception_ptr failure, EditResult change) {
    ASSERT_FALSE(failure);
    if (change) ++made;
    if (!change && change.error().error.code == "too_many_bytes") ++refused;
  };
  constexpr int pairs = 10;
  for (int i = 0; i < pairs; ++i) {
    asio::co_spawn(io_, queue_->edit({id, "ada", {}}, edits), count);
    asio::co_spawn(io_, queue_->restore({id, "ada", {}}, 0), count);
  }
  io_.restart();
  while (made + refused < 2 * pairs && io_.run_one() > 0) continue;
  EXPECT_GT(made, 3);
  EXPECT_GT(refused, 3);
  EXPECT_LE(stored, most);
  EXPECT_GT(stored, most / 2);
}

TEST_F(LongTextTest, ALongTextIsFoundWholeAndInParts) {
  const std::string id = add_long_text();
  const auto all = run(queue_->find_text(id, "ada", [](const Job&) { return 0; })).value();
  EXPECT_EQ(all->segments.size(), 1000U);
  const auto some = run(queue_->find_text(
                            id, "ada", [](const Job&) { return 500; }, 250))
                        .value();
  ASSERT_EQ(some->segments.size(), 250U);
  const auto matches = run(queue_->matches({id, "none"}, "NUMBER", 3)).value();
  EXPECT_EQ(matches[0].size(), 3U);
  EXPECT_TRUE(matches[1].empty());
}

}  // namespace
}  // namespace server
