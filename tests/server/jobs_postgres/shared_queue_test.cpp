// JobQueue over jobs that other processes change: it looks for what nobody tells it.

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_queue.h"
#include "tests/server/jobs_postgres/cutting_proxy.h"
#include "tests/server/jobs_postgres/two_daemons.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

using std::chrono::steady_clock;

class SharedQueue : public test::TwoDaemons {
 protected:
  void SetUp() override {
    TwoDaemons::SetUp();
    if (IsSkipped()) return;
    queue_.emplace(io_.get_executor(), open("queue"), JobQueue::Settings{});
  }
  void TearDown() override { queue_.reset(); }
  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }

  asio::io_context io_{};
  std::optional<JobQueue> queue_{};
};

TEST_F(SharedQueue, AnIdleRunnerFindsTheJobOfAnother) {
  const test::Started<Result<Job>> claiming(io_, queue_->claim(false));
  io_.restart();
  io_.run_for(std::chrono::milliseconds(200));
  ASSERT_FALSE(claiming.ended()) << "there is none yet";
  const std::string id = add().id;
  test::run_until(io_, [&] { return claiming.ended(); });
  EXPECT_EQ(claiming.value()->id, id);
}

TEST_F(SharedQueue, IdleRunnersFindTheJobsOfAGatewaysClients) {
  const test::Started<Result<Job>> first(io_, queue_->claim(true));
  const test::Started<Result<Job>> second(io_, queue_->claim(true));
  io_.restart();
  io_.run_for(std::chrono::milliseconds(600));  // the one that looks has looked twice
  ASSERT_FALSE(first.ended() || second.ended()) << "there is none yet";
  const auto gateway = open("gateway", true);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(gateway->submit({.owner = "ada", .detached = false}, test::no_limits));
  }
  test::run_until(io_, [&] { return first.ended() && second.ended(); });
  EXPECT_NE(first.value()->id, second.value()->id);
}

TEST_F(SharedQueue, WhoWatchesAJobLooksAtItAgain) {
  const std::string id = add().id;
  JobWatch watch(*queue_, id);
  EXPECT_TRUE(run(watch.changed(steady_clock::time_point::max())));
  EXPECT_FALSE(run(watch.changed(steady_clock::now()))) << "the deadline was before";
}

TEST_F(SharedQueue, ARunThatIsTakenAwayIsTold) {
  const std::string id = add().id;
  const Job job = run(queue_->claim(false)).value();
  ASSERT_TRUE(here().cancel(id, "ada").value());
  const auto written = run(queue_->set_progress(claim_of(job), {}, "de"));
  EXPECT_EQ(written.error().code, errc::claim_lost);
}

class QueueBehindAProxy : public SharedQueue {
 protected:
  void SetUp() override {
    SharedQueue::SetUp();
    if (IsSkipped()) return;
    proxy_.emplace(test::PostgresCluster::instance().folder());
    settings_.address = proxy_->address();
    queue_.emplace(io_.get_executor(), open("queue"),
                   JobQueue::Settings{.remove_input =
                                          [this](const std::string& file) {
                                            const std::lock_guard lock(mutex_);
                                            removed_.push_back(file);
                                          },
                                      .longest_call = std::chrono::milliseconds(200)});
  }
  void TearDown() override {
    queue_.reset();
    proxy_.reset();
  }
  std::vector<std::string> removed() {
    const std::lock_guard lock(mutex_);
    return removed_;
  }

  std::optional<test::CuttingProxy> proxy_{};
  std::mutex mutex_{};
  std::vector<std::string> removed_{};
};

TEST_F(QueueBehindAProxy, AJobThatMayHaveBeenAcceptedKeepsItsFile) {
  const auto submit = [this](const std::string& file) {
    return run(queue_->submit(
        {.input = file, .input_is_ours = true, .owner = "ada", .idempotency_key = "k"}));
  };
  proxy_->cut();
  EXPECT_EQ(submit("/first").error().code, errc::database_unavailable);
  EXPECT_EQ(removed(), std::vector<std::string>());
  EXPECT_EQ(submit("/second")->request.input, "/first");
  EXPECT_EQ(removed(), std::vector<std::string>{"/second"});
}

TEST_F(QueueBehindAProxy, AStoreThatHangsIsNoneThatAnswers) {
  proxy_->hang();
  const test::Started<Result<std::optional<Job>>> finding(io_, queue_->find("none", "ada"));
  test::run_until(io_, [&] { return !queue_->store_answers(); });
  EXPECT_FALSE(finding.ended());
  proxy_->hang(false);
  test::run_until(io_, [&] { return finding.ended(); });
  EXPECT_TRUE(queue_->store_answers());
}

}  // namespace
}  // namespace server
