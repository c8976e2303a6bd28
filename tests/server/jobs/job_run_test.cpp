#include "server/jobs/job_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "server/base/random_id.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using Phase = TranscriptionPhase;

// A job whose worker the test plays: its progress is read as clients read it.
class JobRunTest : public testing::Test {
 protected:
  JobRunTest() : folder_(fs::temp_directory_path() / ("scribed-run-" + random_id())) {
    fs::create_directory(folder_);
    open();
    id_ = run(queue_->submit({.model = "base", .input = "/a.wav", .owner = "ada"})).value().id;
    begin();
  }
  ~JobRunTest() override {
    run_.reset();
    queue_.reset();
    fs::remove_all(folder_);
  }

  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }

  void begin() {
    run_.reset();
    job_ = run(queue_->claim(false)).value();
    run_.emplace(io_.get_executor(), *queue_, job_, [](const Error&) {});
  }
  // Opens the queue anew as after a crash of scribed: only the file is kept.
  void restart() {
    run_.reset();
    queue_.reset();
    open();
  }

  void listening(double seconds) {
    tell(protocol::Progress{seconds, 0, protocol::ProgressPhase::listening});
  }
  void transcribing(double position, double duration) {
    tell(protocol::Progress{position, duration});
  }
  void tell(const protocol::TranscriptEvent& event) {
    run_->take(event);
    write();
  }
  void write() {
    run([this]() -> asio::awaitable<int> {
      co_await run_->write_rest();
      co_return 0;
    }());
  }

  Job found() { return run(queue_->find(id_, "ada")).value().value(); }
  std::string shown_job() {
    const Job job = found();
    const auto& progress = job.progress;
    return fmt::format("{}: {}, heard {:g}, {:g} of {:g}, {:g}%", name(job.state),
                       name(progress.phase), progress.listened, progress.position,
                       progress.duration, progress.percent.value_or(-1));
  }

  asio::io_context io_;
  std::unique_ptr<JobQueue> queue_;
  std::string id_;
  Job job_;
  std::optional<JobRun> run_{};

 private:
  void open() {
    auto store = open_job_store({.file = folder_ / "jobs.sqlite"}).value();
    static_cast<void>(store->recover());
    queue_ = std::make_unique<JobQueue>(io_.get_executor(), std::move(store), JobQueue::Settings{});
  }

  fs::path folder_;
};

TEST_F(JobRunTest, EachPhaseIsToldWithFiguresOfItsOwn) {
  EXPECT_EQ(shown_job(), "running: queued, heard 0, 0 of 0, -1%");
  run_->enter(Phase::fetching_model);
  write();
  EXPECT_EQ(shown_job(), "running: fetching_model, heard 0, 0 of 0, -1%");
  tell(protocol::ModelLoading{});
  EXPECT_EQ(shown_job(), "running: loading_model, heard 0, 0 of 0, -1%");
  tell(protocol::ModelLoaded{});
  EXPECT_EQ(shown_job(), "running: listening, heard 0, 0 of 0, -1%");
  listening(300);
  EXPECT_EQ(shown_job(), "running: listening, heard 300, 0 of 0, -1%");
  listening(325);
  EXPECT_EQ(shown_job(), "running: listening, heard 325, 0 of 0, -1%");
  transcribing(0, 325);
  EXPECT_EQ(shown_job(), "running: transcribing, heard 325, 0 of 325, 0%");
  tell(protocol::Segment{.start = 0, .end = 31, .text = " Beyond its window."});
  EXPECT_EQ(shown_job(), "running: transcribing, heard 325, 0 of 325, 0%");
  transcribing(29, 325);
  EXPECT_EQ(shown_job(), "running: transcribing, heard 325, 29 of 325, 8.9%");
}

TEST_F(JobRunTest, GivesWayOnceItHasDecidedSomethingAlsoIfThatIsSilence) {
  const auto much_later = [] { return std::chrono::steady_clock::now() + std::chrono::hours(1); };
  tell(protocol::ModelLoaded{});
  listening(325);
  transcribing(0, 325);
  EXPECT_FALSE(run_->may_give_way(much_later())) << "all of this would have to be done again";
  transcribing(30, 325);
  EXPECT_TRUE(run_->may_give_way(much_later()));
  EXPECT_FALSE(run_->has_progressed()) << "a run without text may be what kills the worker";
  ASSERT_TRUE(run(queue_->requeue(run_->claim(), false)));
  begin();
  EXPECT_EQ(job_.position, 30) << "it goes on there";
  tell(protocol::ModelLoaded{});
  transcribing(30, 325);
  EXPECT_FALSE(run_->may_give_way(much_later()));
}

// The listening would last for minutes of a long recording, and others would wait for three times
// as long.
TEST_F(JobRunTest, GivesWaySoonAfterItHasListenedHoweverLongThatTook) {
  using std::chrono::steady_clock;
  tell(protocol::ModelLoaded{});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto listened = steady_clock::now();
  transcribing(0, 325);
  EXPECT_FALSE(run_->may_give_way(steady_clock::now()));
  run_->take(protocol::Progress{30, 325});
  const auto further = steady_clock::now();
  EXPECT_TRUE(run_->may_give_way(further + 3 * (further - listened)));
}

TEST_F(JobRunTest, OfAJobThatIsDoneAllIsDecided) {
  transcribing(29, 325);
  const JobEnd end{.state = JobState::done};
  ASSERT_TRUE(run(queue_->finish(run_->claim(), end)));
  EXPECT_EQ(shown_job(), "done: ended, heard 325, 325 of 325, 100%");
}

TEST_F(JobRunTest, ACancelledJobStaysWhereItWas) {
  transcribing(65, 325);
  ASSERT_TRUE(run(queue_->cancel(id_)));
  EXPECT_EQ(shown_job(), "cancelled: ended, heard 65, 65 of 325, 20%");
}

TEST_F(JobRunTest, AJobThatIsBegunAgainAfterItsWorkersDeathGoesOnWhereItWas) {
  transcribing(65, 325);
  ASSERT_TRUE(run(queue_->requeue(run_->claim(), true)));
  EXPECT_EQ(shown_job(), "queued: queued, heard 65, 65 of 325, 20%");
  EXPECT_EQ(found().progress.queue_place, 1);
  begin();
  EXPECT_EQ(shown_job(), "running: queued, heard 65, 65 of 325, 20%");
  EXPECT_FALSE(found().progress.queue_place);
  listening(30);
  EXPECT_EQ(shown_job(), "running: listening, heard 65, 65 of 325, 20%");
  listening(325);
  EXPECT_EQ(shown_job(), "running: listening, heard 325, 65 of 325, 20%");
  transcribing(60, 325);
  EXPECT_EQ(shown_job(), "running: transcribing, heard 325, 65 of 325, 20%");
  transcribing(130, 325);
  EXPECT_EQ(shown_job(), "running: transcribing, heard 325, 130 of 325, 40%");
}

TEST_F(JobRunTest, ACrashOfScribedTakesNothingBack) {
  transcribing(65, 325);
  restart();
  EXPECT_EQ(shown_job(), "queued: queued, heard 65, 65 of 325, 20%");
  begin();
  listening(30);
  EXPECT_EQ(shown_job(), "running: listening, heard 65, 65 of 325, 20%");
}

TEST_F(JobRunTest, StopsWhenItsJobIsAnothersAndWritesNoMore) {
  const Claim first = run_->claim();
  ASSERT_TRUE(run(queue_->requeue(first, false)));
  const Job again = run(queue_->claim(false)).value();
  EXPECT_EQ(run_->stopped(), JobRun::Stop::none);
  tell(protocol::Segment{.start = 0, .end = 30, .text = " Late."});
  EXPECT_EQ(run_->stopped(), JobRun::Stop::cancelled);
  EXPECT_EQ(found().segments, 0);
  run_.reset();
  EXPECT_TRUE(queue_->on_cancel(claim_of(again), [] {})) << "the other run is still there";
}

TEST_F(JobRunTest, ListingTellsTheSame) {
  run(queue_->submit({.model = "base", .input = "/b.wav", .owner = "ada"})).value();
  transcribing(65, 325);
  const auto jobs = run(queue_->list("ada", 10, "")).value();
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].progress, (TranscriptionProgress{.queue_place = 1}));
  EXPECT_EQ(jobs[1].progress, found().progress);
}

}  // namespace
}  // namespace server
