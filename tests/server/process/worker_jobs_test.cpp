#include "server/process/worker_jobs.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocol/worker_contract.h"
#include "server/base/race.h"
#include "tests/server/process/worker_fixture.h"

// In these tests one worker runs several jobs at once, or waits for some.
namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

class WorkerJobsTest : public test::WorkerFixture {
 protected:
  std::function<void(const Error&)> note_death() {
    return [this](const Error& error) { deaths_.push_back(error.code); };
  }

  std::vector<std::string> deaths_;
};

TEST_F(WorkerJobsTest, RunsOneJobWhileAnotherGoesOn) {
  auto worker = spawn_loaded("");
  test::OpenJob& first = begin(*worker, "first");
  test::OpenJob& second = begin(*worker, "second");
  second.sound.reset();
  EXPECT_EQ(error_of(second), "");
  EXPECT_FALSE(first.call->ended());
  first.sound.reset();
  EXPECT_EQ(error_of(first), "");
  EXPECT_EQ(first.segments.ends, (std::vector<double>{5, 6}));
  EXPECT_EQ(second.segments.ends, (std::vector<double>{5, 6}));
  EXPECT_EQ(first.call->value()->job, "first");
}

TEST_F(WorkerJobsTest, TellsHowALiveTranscriptionStands) {
  auto worker = spawn_loaded("");
  wire::Transcribe request{.job = "live"};
  request.options.live_chunk = 1;
  EXPECT_TRUE(test::run(io_, worker->transcribe(request, pcm(3), segments_)));
  EXPECT_EQ(segments_.looks, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(test::run(io_, worker->transcribe({"whole", {}}, pcm(3), segments_)));
  EXPECT_EQ(segments_.looks.size(), 3u);
}

TEST_F(WorkerJobsTest, KeepsJobsOfTheSameNameApart) {
  auto worker = spawn_loaded("");
  test::OpenJob& first = begin(*worker, "1");
  test::OpenJob& second = begin(*worker, "1");
  first.sound.reset();
  EXPECT_EQ(error_of(first), "");
  EXPECT_FALSE(second.call->ended());
}

TEST_F(WorkerJobsTest, EndsACancelledJobAlone) {
  auto worker = spawn_loaded("");
  test::OpenJob& cancelled = begin(*worker, "1");
  test::OpenJob& neighbour = begin(*worker, "2");
  cancelled.call->cancel();
  test::run_until(io_, [&] { return cancelled.call->ended(); });
  EXPECT_TRUE(cancelled.call->threw());
  test::run_until(io_, [&] { return has_no_reader(cancelled.sound); });
  test::OpenJob& next = begin(*worker, "3");
  neighbour.sound.reset();
  next.sound.reset();
  EXPECT_EQ(error_of(neighbour), "");
  EXPECT_EQ(error_of(next), "");
  EXPECT_EQ(cancelled.segments.ends, std::vector<double>{5});
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerJobsTest, CountsAsHungWhenACancelledJobDoesNotEnd) {
  limits_.cancel = milliseconds(100);
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  test::OpenJob& neighbour = begin(*worker, "1");
  begin(*worker, "2", "fake:hang").call->cancel();
  EXPECT_EQ(error_of(neighbour), "worker_hung");
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_hung"});
}

TEST_F(WorkerJobsTest, LeavesTheNeighboursOfAJobThatFails) {
  auto worker = spawn_loaded("");
  test::OpenJob& neighbour = begin(*worker, "1");
  test::OpenJob& failed = begin(*worker, "2", "fake:fail");
  EXPECT_EQ(error_of(failed), "non_finite_logits");
  neighbour.sound.reset();
  EXPECT_EQ(error_of(neighbour), "");
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerJobsTest, PassesOnWhatTheEventsThrow) {
  auto worker = spawn_loaded("");
  segments_.fails = true;
  EXPECT_THROW(test::run(io_, worker->transcribe({"1", {}}, pcm(12), segments_)),
               std::runtime_error);
  segments_.fails = false;
  EXPECT_TRUE(test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_)));
}

TEST_F(WorkerJobsTest, TellsAllJobsWhenItDies) {
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  for (const char* name : {"1", "2", "3"}) begin(*worker, name);
  ::kill(worker->pid(), SIGKILL);
  for (test::OpenJob& job : jobs_) EXPECT_EQ(error_of(job), "worker_died");
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_died"});
  EXPECT_FALSE(worker->usable());
}

// The kernel kills the worker, and not the job that took most of its memory.
TEST_F(WorkerJobsTest, WantOfMemoryFailsTheJobWithTheMostRowsAlone) {
  const Error killed{errc::out_of_memory, "scribed-worker was killed because memory ran out", ""};
  const auto ends_of = [&](const std::vector<int>& rows) {
    WorkerJobs jobs(io_.get_executor());
    std::vector<std::shared_ptr<WorkerJob>> begun;
    for (const int count : rows) begun.push_back(jobs.add("job", count, {}));
    jobs.fail_all(killed);
    std::vector<std::string> codes;
    for (const auto& job : begun) codes.push_back(job->result->error().code);
    return codes;
  };
  using Codes = std::vector<std::string>;
  EXPECT_EQ(ends_of({5, 100, 5}), (Codes{"worker_died", "out_of_memory", "worker_died"}));
  EXPECT_EQ(ends_of({5, 5}), (Codes{"worker_died", "out_of_memory"})) << "the last, of equal ones";
  EXPECT_EQ(ends_of({5}), Codes{"out_of_memory"});
  EXPECT_EQ(ends_of({}), Codes{});
}

TEST_F(WorkerJobsTest, TellsAllJobsWhenItHangs) {
  limits_.silence = milliseconds(200);
  auto worker = spawn_loaded("");
  for (const char* name : {"1", "2"}) begin(*worker, name);
  ::kill(worker->pid(), SIGSTOP);
  for (test::OpenJob& job : jobs_) EXPECT_EQ(error_of(job), "worker_hung");
}

TEST_F(WorkerJobsTest, IsNoticedWhenItDiesWithoutAJob) {
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  ::kill(worker->pid(), SIGKILL);
  test::run_until(io_, [&] { return !deaths_.empty(); });
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_died"});
}

TEST_F(WorkerJobsTest, IsNoticedWhenItHangsWithoutAJob) {
  limits_.idle_ping = milliseconds(40);
  limits_.silence = milliseconds(200);
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  ::kill(worker->pid(), SIGSTOP);
  test::run_until(io_, [&] { return !deaths_.empty(); });
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_hung"});
}

// Its last message may have been long ago.
TEST_F(WorkerJobsTest, HasTheWholeTimeForItsAnswerToAPing) {
  limits_.idle_ping = limits_.silence = milliseconds(300);
  auto worker = spawn_loaded("");
  ::kill(worker->pid(), SIGSTOP);
  test::run(io_, sleep_for(milliseconds(420)));  // it is asked meanwhile
  ::kill(worker->pid(), SIGCONT);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerJobsTest, IsNotTakenForDeadWhileItIsIdleAndAnswers) {
  limits_.idle_ping = milliseconds(40);
  limits_.silence = milliseconds(120);
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  test::run(io_, sleep_for(milliseconds(500)));
  EXPECT_TRUE(worker->usable());
  EXPECT_TRUE(deaths_.empty());
}

// A half-sent message would spoil all that follow.
TEST_F(WorkerJobsTest, SendsAWholeMessageEvenIfItsJobIsCancelledMeanwhile) {
  auto worker = spawn_loaded("");
  ::kill(worker->pid(), SIGSTOP);
  wire::Transcribe request{.job = "1"};
  request.options.initial_prompt = std::string(4'000'000, 'x');  // more than a socket holds
  test::Started<Result<wire::Done>> cancelled(io_, worker->transcribe(request, pcm(6), segments_));
  test::run(io_, sleep_for(milliseconds(20)));
  cancelled.cancel();
  test::run_until(io_, [&] { return cancelled.ended(); });
  ::kill(worker->pid(), SIGCONT);
  EXPECT_TRUE(test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_)));
  EXPECT_EQ(segments_.ends, std::vector<double>{3});
}

TEST_F(WorkerJobsTest, TakesNoMoreJobsThanAWorkerAccepts) {
  auto worker = spawn_loaded("");
  for (std::size_t i = 0; i < protocol::worker::max_jobs; ++i) {
    test::OpenJob& job = jobs_.emplace_back();
    auto sound = pcm(0, &job.sound);
    job.call.emplace(io_, worker->transcribe({"1", {}}, std::move(sound), job.segments));
  }
  const auto refused = test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_));
  EXPECT_EQ(refused.error().code, "busy");
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerJobsTest, TellsItsJobsWhenItIsClosed) {
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  test::OpenJob& job = begin(*worker, "1");
  worker.reset();
  EXPECT_EQ(error_of(job), errc::cancelled);
  EXPECT_TRUE(deaths_.empty());
}

}  // namespace
}  // namespace server
