#include "server/jobs/job_runner.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/server/jobs/job_runner_fixture.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using test::JobRunnerTest;

TEST_F(JobRunnerTest, AJobIsTranscribedWhoeverWaitsForIt) {
  start();
  JobRequest waited_for = request(6);
  waited_for.detached = false;
  for (const std::string& id : {submit(request(6)), submit(std::move(waited_for))}) {
    const Job job = ended(id);
    EXPECT_EQ(job.state, JobState::done);
    EXPECT_EQ(job.segments, 2);
    EXPECT_EQ(job.language, "en");
    EXPECT_EQ(job.duration, 6);
    EXPECT_EQ(job.summary.device, "cpu");
    EXPECT_EQ(text_of(id), " Segment 0. Segment 1.");
  }
}

TEST_F(JobRunnerTest, AJobThatBeginsWhenTheSoundOfTheDayIsUsedUpFails) {
  queue_.set_limits({.of_owner = {{"ada", {.sound_seconds_per_day = 5}}}});
  runner_settings_.parallel = runner_settings_.waited = 1;
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(submit(request(6)));
  start();
  EXPECT_EQ(ended(ids.front()).state, JobState::done);
  const Job last = ended(ids.back());
  ASSERT_EQ(last.state, JobState::failed) << "others have used it up";
  EXPECT_EQ(last.error.value().code, errc::too_much_sound);
}

TEST_F(JobRunnerTest, JobsThatBeginTogetherDoNotExceedTheSoundOfTheDay) {
  queue_.set_limits({.of_owner = {{"ada", {.sound_seconds_per_day = 11}}}});
  runner_settings_.parallel = 6;
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(submit(request(6)));
  start();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Job job = ended(ids[i]);
    EXPECT_EQ(job.state, i < 2 ? JobState::done : JobState::failed) << i;
    if (job.error) {
      EXPECT_EQ(job.error->code, errc::too_much_sound);
    }
  }
}

TEST_F(JobRunnerTest, AJobThatWasPutBackIsFinishedWhateverItHolds) {
  queue_.set_limits({.of_owner = {{"ada", {.sound_seconds_per_day = 1}}}});
  start();
  const std::string id = submit(request(60, "fake:slow"));
  wait_for_text(id);  // its length may be unknown as yet
  ASSERT_TRUE(test::run(io_, queue_.requeue(test::held(io_, queue_, id), false)));
  EXPECT_EQ(ended(id).state, JobState::done);
}

TEST_F(JobRunnerTest, AJobWhoseWorkerDiesGoesOnBehindItsLastSegment) {
  start();
  const std::string id = submit(request(12, "fake:die_after:1"));
  const Job job = ended(id);
  EXPECT_EQ(job.state, JobState::done);
  EXPECT_EQ(job.attempts, 2);
  EXPECT_EQ(text_of(id), " Segment 0. Segment 1. Segment 2.") << "none twice, none lost";
}

TEST_F(JobRunnerTest, AJobThatKillsItsWorkersIsGivenUp) {
  start();
  JobRequest deadly = request(6);
  deadly.options.hotwords = "fake:die";
  const Job job = ended(submit(std::move(deadly)));
  EXPECT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error.value().code, errc::worker_died);
  EXPECT_EQ(job.attempts, 3);
}

TEST_F(JobRunnerTest, WhatOtherWorkersWouldNotDoBetterIsNotTriedAgain) {
  start();
  const Job failed = ended(submit(request(6, "fake:fail")));
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_EQ(failed.error.value().code, "non_finite_logits");
  EXPECT_EQ(failed.attempts, 1);
  JobRequest gone = request(6);
  gone.input = folder_ / "none.wav";
  EXPECT_EQ(ended(submit(std::move(gone))).error.value().code, errc::input_not_found);
}

TEST_F(JobRunnerTest, AJobWaitsForARecordingThatCannotBeHadYet) {
  runner_settings_.pause_without_input = milliseconds(10);
  no_input_ = Error{errc::inputs_unavailable, "the bucket does not answer", ""};
  start();
  const std::string id = submit(request(6));
  test::run_until(io_, [&] { return opened_ > 5; });
  EXPECT_FALSE(has_ended(find(id).state));
  no_input_.reset();
  const Job job = ended(id);
  EXPECT_EQ(job.state, JobState::done);
  EXPECT_EQ(job.attempts, 1) << "only what was begun counts";
}

TEST_F(JobRunnerTest, AJobWhoseRecordingIsLostFailsAtOnce) {
  no_input_ = Error{errc::input_lost, "it is gone", ""};
  start();
  const Job job = ended(submit(request(6)));
  EXPECT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error.value().code, errc::input_lost);
  EXPECT_EQ(opened_, 1);
}

TEST_F(JobRunnerTest, AJobIsCancelledWhileItsRecordingComes) {
  bool is_asked = false;
  bool is_left = false;
  runner_settings_.open_input = [&](const JobRequest&) -> asio::awaitable<Result<Input>> {
    is_asked = true;
    struct Left {
      bool& flag;
      ~Left() { flag = true; }
    } const left{is_left};
    co_await sleep_for(std::chrono::hours(1));
    co_return Error{errc::internal, "", ""};
  };
  start();
  const std::string id = submit(request(6));
  test::run_until(io_, [&] { return is_asked; });
  EXPECT_TRUE(test::run(io_, queue_.cancel(id)).value());
  test::run_until(io_, [&] { return is_left; });
  EXPECT_EQ(find(id).state, JobState::cancelled);
}

TEST_F(JobRunnerTest, ACancelledJobEndsAloneAndKeepsWhatItHas) {
  start();
  const std::string slow = submit(request(300, "fake:slow"));
  wait_for_text(slow);
  const std::string other = submit(request(12, "fake:slow"));
  EXPECT_TRUE(test::run(io_, queue_.cancel(slow)).value());
  EXPECT_EQ(ended(other).state, JobState::done);
  EXPECT_EQ(find(slow).state, JobState::cancelled);
  EXPECT_GT(find(slow).segments, 0);
  test::run_until(io_, [&] { return pool().loaded().at(0).jobs == 0; });
}

TEST_F(JobRunnerTest, WhatRunsAtTheEndWaitsForTheNextStartUnlessItsClientIsToldSo) {
  start();
  JobRequest client = request(300, "fake:slow");
  client.detached = false;
  const std::string kept = submit(request(300, "fake:slow")), told = submit(std::move(client));
  wait_for_text(kept);
  wait_for_text(told);
  stop(milliseconds(0));
  const Job waiting = find(kept);
  EXPECT_EQ(waiting.state, JobState::queued);
  EXPECT_EQ(waiting.attempts, 0) << "an orderly end is no attempt";
  EXPECT_GT(waiting.segments, 0);
  EXPECT_EQ(find(told).state, JobState::cancelled);
  EXPECT_EQ(find(told).error.value().code, errc::draining);
}

TEST_F(JobRunnerTest, WhatEndsWithinTheGraceIsDone) {
  start();
  const std::string id = submit(request(12, "fake:slow"));
  wait_for_text(id);
  stop(std::chrono::seconds(20));
  EXPECT_EQ(find(id).state, JobState::done);
}

// The text of a job is on the disk before its end.
TEST_F(JobRunnerTest, WhatCannotBeWrittenAtTheEndIsNotDone) {
  const auto file = folder_ / "full.sqlite";
  open_job_store({.file = file}).value().reset();
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
      .exec("CREATE TRIGGER full BEFORE INSERT ON segments BEGIN SELECT RAISE(ABORT, ''); END");
  bool has_failed = false;
  runner_settings_.on_store_error = [&](const Error&) { has_failed = true; };
  start();
  JobQueue full(io_.get_executor(), open_job_store({.file = file}).value(), {});
  JobRunner runner(io_.get_executor(), full, pool(), runner_settings_);
  runner.start();
  const std::string id = test::run(io_, full.submit(request(6))).value().id;
  test::run_until(io_, [&] { return has_failed; });
  stop(full, runner, std::chrono::seconds(20));
  EXPECT_EQ(test::run(io_, full.find(id, "ada")).value()->state, JobState::queued);
}

TEST_F(JobRunnerTest, ARunThatHasLostItsJobStopsAndLeavesTheEndToTheOther) {
  std::vector<std::string> errors;
  std::vector<std::string> ends;
  runner_settings_.on_store_error = [&](const Error& error) { errors.push_back(error.code); };
  queue_.on_end([&](const Job& job) { ends.push_back(job.id); });
  start();
  const std::string id = submit(request(60, "fake:slow"));
  wait_for_text(id);
  const Claim first = test::held(io_, queue_, id);
  ASSERT_TRUE(test::run(io_, queue_.requeue(first, true)));
  EXPECT_EQ(ended(id).state, JobState::done);
  const Job job = find(id);
  EXPECT_EQ(job.attempts, 2);
  EXPECT_EQ(job.segments, 12) << "none twice, none lost";
  test::run_until(io_, [&] { return pool().loaded().at(0).jobs == 0; });
  EXPECT_EQ(ends, std::vector{id});
  EXPECT_EQ(errors, std::vector<std::string>());
}

TEST_F(JobRunnerTest, AJobWaitsForItsModelWhileThatIsFetched) {
  bool is_fetching = true;
  runner_settings_.is_fetching = [&](const JobRequest& request) {
    return is_fetching && request.model == "base";
  };
  start();
  const std::string id = submit(request(6));
  test::run_until(io_,
                  [&] { return find(id).progress.phase == TranscriptionPhase::fetching_model; });
  EXPECT_EQ(setups_.size(), 0U);
  is_fetching = false;
  EXPECT_EQ(ended(id).state, JobState::done);
}

TEST_F(JobRunnerTest, AJobWhoseHelperCouldNotBeFetchedFailsWithThat) {
  bool is_fetching = true;
  runner_settings_.is_fetching = [&](const JobRequest&) { return is_fetching; };
  runner_settings_.check_fetched = [](const JobRequest&) -> Result<void> {
    return Error{errc::helper_missing, "It could not be downloaded.", ""};
  };
  start();
  const std::string id = submit(request(6));
  test::run_until(io_,
                  [&] { return find(id).progress.phase == TranscriptionPhase::fetching_model; });
  is_fetching = false;
  EXPECT_EQ(ended(id).error->code, errc::helper_missing);
  EXPECT_EQ(setups_.size(), 0U) << "no model was loaded for it";
}

TEST_F(JobRunnerTest, AModelStaysAsLongAsItsJobWants) {
  start();
  JobRequest once = request(6);
  once.keep_alive_s = 0;
  EXPECT_EQ(ended(submit(std::move(once))).state, JobState::done);
  test::run_until(io_, [&] { return pool().loaded().empty(); });
}

}  // namespace
}  // namespace server
