#include "server/process/worker.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "server/base/race.h"
#include "tests/server/process/worker_fixture.h"

namespace server {
namespace {

using std::chrono::milliseconds;

class WorkerTest : public test::WorkerFixture {};

TEST_F(WorkerTest, TranscribesWhatThePipeHolds) {
  auto worker = spawn_loaded("");
  const auto done = test::run(io_, worker->transcribe({"1", {}}, pcm(12), segments_)).value();
  EXPECT_EQ(segments_.ends, (std::vector<double>{5, 10, 12}));
  EXPECT_EQ(segments_.language, "en");
  EXPECT_EQ(done.duration_s, 12);
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerTest, TakesOneJobAfterAnother) {
  auto worker = spawn_loaded("");
  test::run(io_, worker->transcribe({"1", {}}, pcm(6), segments_)).value();
  test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_)).value();
  EXPECT_EQ(segments_.ends, (std::vector<double>{5, 6, 3}));
}

TEST_F(WorkerTest, PassesOnWhatIsWrongWithTheModel) {
  EXPECT_EQ(load_error("refuse_model"), "damaged_model: the model is cut off");
}

TEST_F(WorkerTest, NamesTheSignalThatKilledIt) {
  EXPECT_EQ(load_error("die_in_load"),
            "worker_died: scribed-worker was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(job_error("die_in_job"),
            "worker_died: scribed-worker was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(segments_.ends, std::vector<double>{5});
}

TEST_F(WorkerTest, IsNotTakenForUnloadedWhenItIsClosedWhileItsEndIsLookedInto) {
  auto worker = spawn_loaded("die_in_job");
  auto& job = begin(*worker, "1");
  test::run_until(io_, [&] { return !worker->usable(); });
  worker->close();
  EXPECT_EQ(error_of(job), errc::worker_died);
}

TEST_F(WorkerTest, KeepsWhatItSaidLast) {
  auto worker = spawn("cpu_dies:No SGEMM backend on CPU");
  const auto loaded = test::run(io_, worker->load({}, 0));
  EXPECT_EQ(loaded.error().message, "scribed-worker was killed by signal 6 (SIGABRT)");
  EXPECT_EQ(worker->last_words(), "No SGEMM backend on CPU\n");
}

TEST_F(WorkerTest, RefusesAnotherVersion) {
  EXPECT_EQ(load_error("wrong_version").substr(0, 17), "version_mismatch:");
}

TEST_F(WorkerTest, RefusesNonsense) {
  EXPECT_EQ(load_error("garbage").substr(0, 12), "bad_message:");
}

TEST_F(WorkerTest, IsNotAwaitedForEverWhenItDoesNotGreet) {
  limits_.hello = milliseconds(50);
  EXPECT_EQ(load_error("silent_start").substr(0, 12), "worker_hung:");
}

TEST_F(WorkerTest, IsKilledWhenItAnswersNothing) {
  limits_.silence = milliseconds(100);
  EXPECT_EQ(job_error("hang_in_job").substr(0, 12), "worker_hung:");
}

TEST_F(WorkerTest, IsKilledWhenItsJobDoesNotMoveOn) {
  limits_.stall = milliseconds(100);
  EXPECT_EQ(job_error("stall_in_job").substr(0, 12), "worker_hung:");
}

TEST_F(WorkerTest, MayWaitForInputThatPauses) {
  limits_.stall = milliseconds(60);
  segments_.moves_on = false;
  auto worker = spawn_loaded("");
  platform::UniqueFd open;
  const auto work = [&]() -> asio::awaitable<bool> {
    auto waiting =
        within(milliseconds(300), worker->transcribe({"1", {}}, pcm(3, &open), segments_));
    const auto ended = co_await std::move(waiting);
    co_return !ended;
  };
  EXPECT_TRUE(test::run(io_, work()));
  EXPECT_TRUE(worker->usable());
}

}  // namespace
}  // namespace server
