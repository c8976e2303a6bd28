#include "server/process/worker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/process/race.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

constexpr std::size_t bytes_per_second = 16'000 * sizeof(float);

class Segments : public JobEvents {
 public:
  void on_progress(const wire::Progress&) override {}
  void on_language(const wire::LanguageDetected& found) override { language = found.language; }
  void on_segment(const protocol::Segment& segment) override {
    ends.push_back(segment.end);
    if (fails) throw std::runtime_error("the output is full");
  }
  bool must_move_on() const override { return moves_on; }

  std::string language;
  std::vector<double> ends;
  bool moves_on = true;
  bool fails = false;
};

// A job that goes on until its sound ends.
struct OpenJob {
  Segments segments{};
  platform::UniqueFd sound{};
  std::optional<test::Started<Result<wire::Done>>> call{};
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

  // Has decided its first segment when this returns.
  OpenJob& begin(Worker& worker, const std::string& name, const std::string& prompt = "") {
    OpenJob& job = jobs_.emplace_back();
    wire::Transcribe request{.job = name};
    request.options.initial_prompt = prompt;
    auto sound = pcm(6, &job.sound);
    job.call.emplace(io_, worker.transcribe(request, std::move(sound), job.segments));
    test::run_until(io_, [&] { return !job.segments.ends.empty() || job.call->ended(); });
    return job;
  }

  // The worker has let go of the job.
  static bool has_no_reader(const platform::UniqueFd& sound) {
    pollfd pipe{.fd = sound.get(), .events = 0, .revents = 0};
    return ::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
  }

  std::string error_of(OpenJob& job) {
    test::run_until(io_, [&] { return job.call->ended(); });
    const auto& result = job.call->value();
    return result ? "" : result.error().code;
  }

  std::list<OpenJob> jobs_;  // their calls end with io_
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

class WorkerOfManyTest : public WorkerTest {
 protected:
  std::function<void(const Error&)> note_death() {
    return [this](const Error& error) { deaths_.push_back(error.code); };
  }

  std::vector<std::string> deaths_;
};

TEST_F(WorkerOfManyTest, RunsOneJobWhileAnotherGoesOn) {
  auto worker = spawn_loaded("");
  OpenJob& first = begin(*worker, "first");
  OpenJob& second = begin(*worker, "second");
  second.sound.reset();
  EXPECT_EQ(error_of(second), "");
  EXPECT_FALSE(first.call->ended());
  first.sound.reset();
  EXPECT_EQ(error_of(first), "");
  EXPECT_EQ(first.segments.ends, (std::vector<double>{5, 6}));
  EXPECT_EQ(second.segments.ends, (std::vector<double>{5, 6}));
  EXPECT_EQ(first.call->value()->job, "first");
}

TEST_F(WorkerOfManyTest, KeepsJobsOfTheSameNameApart) {
  auto worker = spawn_loaded("");
  OpenJob& first = begin(*worker, "1");
  OpenJob& second = begin(*worker, "1");
  first.sound.reset();
  EXPECT_EQ(error_of(first), "");
  EXPECT_FALSE(second.call->ended());
}

TEST_F(WorkerOfManyTest, EndsACancelledJobAlone) {
  auto worker = spawn_loaded("");
  OpenJob& cancelled = begin(*worker, "1");
  OpenJob& neighbour = begin(*worker, "2");
  cancelled.call->cancel();
  test::run_until(io_, [&] { return cancelled.call->ended(); });
  EXPECT_TRUE(cancelled.call->threw());
  test::run_until(io_, [&] { return has_no_reader(cancelled.sound); });
  OpenJob& next = begin(*worker, "3");
  neighbour.sound.reset();
  next.sound.reset();
  EXPECT_EQ(error_of(neighbour), "");
  EXPECT_EQ(error_of(next), "");
  EXPECT_EQ(cancelled.segments.ends, std::vector<double>{5});
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerOfManyTest, CountsAsHungWhenACancelledJobDoesNotEnd) {
  limits_.cancel = milliseconds(100);
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  OpenJob& neighbour = begin(*worker, "1");
  begin(*worker, "2", "fake:hang").call->cancel();
  EXPECT_EQ(error_of(neighbour), "worker_hung");
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_hung"});
}

TEST_F(WorkerOfManyTest, LeavesTheNeighboursOfAJobThatFails) {
  auto worker = spawn_loaded("");
  OpenJob& neighbour = begin(*worker, "1");
  OpenJob& failed = begin(*worker, "2", "fake:fail");
  EXPECT_EQ(error_of(failed), "non_finite_logits");
  neighbour.sound.reset();
  EXPECT_EQ(error_of(neighbour), "");
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerOfManyTest, PassesOnWhatTheEventsThrow) {
  auto worker = spawn_loaded("");
  segments_.fails = true;
  EXPECT_THROW(test::run(io_, worker->transcribe({"1", {}}, pcm(12), segments_)),
               std::runtime_error);
  segments_.fails = false;
  EXPECT_TRUE(test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_)));
}

TEST_F(WorkerOfManyTest, TellsAllJobsWhenItDies) {
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  for (const char* name : {"1", "2", "3"}) begin(*worker, name);
  ::kill(worker->pid(), SIGKILL);
  for (OpenJob& job : jobs_) EXPECT_EQ(error_of(job), "worker_died");
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_died"});
  EXPECT_FALSE(worker->usable());
}

TEST_F(WorkerOfManyTest, TellsAllJobsWhenItHangs) {
  limits_.silence = milliseconds(200);
  auto worker = spawn_loaded("");
  for (const char* name : {"1", "2"}) begin(*worker, name);
  ::kill(worker->pid(), SIGSTOP);
  for (OpenJob& job : jobs_) EXPECT_EQ(error_of(job), "worker_hung");
}

TEST_F(WorkerOfManyTest, IsNoticedWhenItDiesWithoutAJob) {
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  ::kill(worker->pid(), SIGKILL);
  test::run_until(io_, [&] { return !deaths_.empty(); });
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_died"});
}

TEST_F(WorkerOfManyTest, IsNoticedWhenItHangsWithoutAJob) {
  limits_.idle_ping = milliseconds(40);
  limits_.silence = milliseconds(200);
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  ::kill(worker->pid(), SIGSTOP);
  test::run_until(io_, [&] { return !deaths_.empty(); });
  EXPECT_EQ(deaths_, std::vector<std::string>{"worker_hung"});
}

TEST_F(WorkerOfManyTest, IsNotTakenForDeadWhileItIsIdleAndAnswers) {
  limits_.idle_ping = milliseconds(40);
  limits_.silence = milliseconds(120);
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  test::run(io_, sleep_for(milliseconds(500)));
  EXPECT_TRUE(worker->usable());
  EXPECT_TRUE(deaths_.empty());
}

// A message that was sent in half would spoil all that follow.
TEST_F(WorkerOfManyTest, SendsAWholeMessageEvenIfItsJobIsCancelledMeanwhile) {
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

TEST_F(WorkerOfManyTest, TakesNoMoreJobsThanAWorkerAccepts) {
  auto worker = spawn_loaded("");
  for (std::size_t i = 0; i < Worker::max_jobs; ++i) {
    OpenJob& job = jobs_.emplace_back();
    auto sound = pcm(0, &job.sound);
    job.call.emplace(io_, worker->transcribe({"1", {}}, std::move(sound), job.segments));
  }
  const auto refused = test::run(io_, worker->transcribe({"2", {}}, pcm(3), segments_));
  EXPECT_EQ(refused.error().code, "busy");
  EXPECT_TRUE(worker->usable());
}

TEST_F(WorkerOfManyTest, TellsItsJobsWhenItIsClosed) {
  auto worker = spawn_loaded("");
  worker->on_death(note_death());
  OpenJob& job = begin(*worker, "1");
  worker.reset();
  EXPECT_EQ(error_of(job), errc::cancelled);
  EXPECT_TRUE(deaths_.empty());
}

}  // namespace
}  // namespace server
