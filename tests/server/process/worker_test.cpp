#include "server/process/worker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "server/process/race.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

constexpr std::size_t bytes_per_second = 16'000 * sizeof(float);

class Segments : public JobEvents {
 public:
  void on_progress(const wire::Progress&) override {}
  void on_language(const wire::LanguageDetected& found) override { language = found.language; }
  void on_segment(const protocol::Segment& segment) override { ends.push_back(segment.end); }
  bool must_move_on() const override { return moves_on; }

  std::string language;
  std::vector<double> ends;
  bool moves_on = true;
};

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    limits_.hello = limits_.load = milliseconds(5'000);
    limits_.tick = milliseconds(20);
  }
  void TearDown() override { ::unsetenv("SCRIBED_FAKE_WORKER"); }

  std::unique_ptr<Worker> spawn(const char* behaviour) {
    ::setenv("SCRIBED_FAKE_WORKER", behaviour, 1);
    return Worker::spawn(io_.get_executor(), SCRIBED_FAKE_WORKER_PATH, limits_).value();
  }

  std::unique_ptr<Worker> spawn_loaded(const char* behaviour) {
    auto worker = spawn(behaviour);
    test::run(io_, worker->load({}, 0)).value();
    return worker;
  }

  // A pipe that holds so many seconds of silence. Its write end stays open for `open` only.
  platform::UniqueFd pcm(double seconds, platform::UniqueFd* open = nullptr) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    platform::UniqueFd read(ends[0]), write(ends[1]);
    ::fcntl(write.get(), F_SETPIPE_SZ, 1024 * 1024);
    const std::string silence(static_cast<std::size_t>(seconds * bytes_per_second), '\0');
    EXPECT_EQ(::write(write.get(), silence.data(), silence.size()),
              static_cast<ssize_t>(silence.size()));
    if (open) *open = std::move(write);
    return read;
  }

  std::string load_error(const char* behaviour) {
    auto worker = spawn(behaviour);
    const auto loaded = test::run(io_, worker->load({}, 0));
    return loaded ? "" : loaded.error().code + ": " + loaded.error().message;
  }

  std::string job_error(const char* behaviour) {
    auto worker = spawn_loaded(behaviour);
    const auto done = test::run(io_, worker->transcribe({"1", {}}, pcm(12), segments_));
    EXPECT_FALSE(worker->usable());
    return done ? "" : done.error().code + ": " + done.error().message;
  }

  boost::asio::io_context io_;
  WorkerLimits limits_;
  Segments segments_;
};

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

TEST_F(WorkerTest, CanBeUsedAgainAfterACancelledJob) {
  auto worker = spawn_loaded("");
  platform::UniqueFd open;
  const auto work = [&]() -> asio::awaitable<bool> {
    auto job = within(milliseconds(200), worker->transcribe({"1", {}}, pcm(6, &open), segments_));
    EXPECT_FALSE(co_await std::move(job));
    open.reset();  // it waits for sound
    co_return co_await worker->cancel("1");
  };
  EXPECT_TRUE(test::run(io_, work()));
  EXPECT_TRUE(test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_)));
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
    co_return !(co_await std::move(waiting));
  };
  EXPECT_TRUE(test::run(io_, work()));
  EXPECT_TRUE(worker->usable());
}

}  // namespace
}  // namespace server
