#include "server/jobs/job_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using std::chrono::steady_clock;

class JobWatchTest : public testing::Test {
 protected:
  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }
  std::string submit() {
    return run(queue_.submit({.model = "base", .input = "/a.wav", .owner = "ada"})).value().id;
  }
  static steady_clock::time_point soon() {
    return steady_clock::now() + std::chrono::milliseconds(20);
  }
  bool changed(JobWatch& watch) { return run(watch.changed(soon())); }

  test::TemporaryFolder folder_{};
  asio::io_context io_;
  JobQueue queue_{
      io_.get_executor(), open_job_store({.file = folder_ / "jobs.sqlite"}).value(), {}};
};

TEST_F(JobWatchTest, TellsOfEveryChange) {
  const std::string id = submit();
  JobWatch watch(queue_, id);
  EXPECT_FALSE(changed(watch));
  const Claim claim = claim_of(run(queue_.claim(false)).value());
  EXPECT_TRUE(changed(watch));
  EXPECT_FALSE(changed(watch));
  run(queue_.add_segments(claim, {{.end = 2, .text = " Wort."}})).value();
  EXPECT_TRUE(changed(watch));
  run(queue_.set_progress(claim, {.position = 2}, "de")).value();
  EXPECT_TRUE(changed(watch));
  run(queue_.finish(claim, {.state = JobState::done})).value();
  EXPECT_TRUE(run(watch.changed(steady_clock::time_point::max())));
}

TEST_F(JobWatchTest, TellsOfItsOwnJobAlone) {
  const std::string mine = submit(), other = submit();
  JobWatch watch(queue_, mine), beside(queue_, mine);
  run(queue_.cancel(other)).value();
  EXPECT_FALSE(changed(watch));
  run(queue_.cancel(mine)).value();
  EXPECT_TRUE(changed(watch));
  EXPECT_TRUE(changed(beside)) << "each hears of it, whoever asks first";
}

TEST_F(JobWatchTest, WhoWaitsIsWoken) {
  const std::string id = submit();
  JobWatch watch(queue_, id);
  const test::Started<bool> waiting(io_, watch.changed(steady_clock::time_point::max()));
  run(queue_.cancel(id)).value();
  test::run_until(io_, [&] { return waiting.ended(); });
  EXPECT_TRUE(waiting.value());
}

TEST_F(JobWatchTest, TheEndOfScribedIsNewsOfEveryJob) {
  const std::string id = submit();
  JobWatch watch(queue_, id);
  queue_.drain();
  EXPECT_TRUE(changed(watch));
}

TEST_F(JobWatchTest, OneThatIsGoneIsToldNothing) {
  const std::string id = submit();
  std::optional<JobWatch> watch;
  watch.emplace(queue_, id);
  watch.reset();
  EXPECT_TRUE(run(queue_.cancel(id)).value());
}

}  // namespace
}  // namespace server
