// JobQueue over jobs that other processes change: it looks for what nobody tells it.

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_watch.h"
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
    queue_.emplace(io_.get_executor(), open("queue"), queue_settings_);
  }
  void TearDown() override {
    if (following_) {
      queue_->stop_following();
      test::run_until(io_, [this] { return following_->ended(); });
    }
    queue_.reset();
  }
  // Others' changes are looked for from now on.
  void follow() { following_.emplace(io_, following(*queue_)); }
  static asio::awaitable<bool> following(JobQueue& queue) {
    co_await queue.follow_others();
    co_return true;
  }
  static steady_clock::time_point far() { return steady_clock::now() + std::chrono::seconds(30); }
  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }

  JobQueue::Settings queue_settings_{};
  asio::io_context io_{};
  std::optional<JobQueue> queue_{};
  std::optional<test::Started<bool>> following_{};
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

TEST_F(SharedQueue, WholeSoundOfAllDaemonsIsToldInsteadOfAPartHere) {
  const KeptSound part{.bytes = 320}, whole{.bytes = 32'000, .is_whole = true};
  queue_.emplace(
      io_.get_executor(), open("queue"),
      JobQueue::Settings{.find_sound = [&](const std::string&) { return std::optional(part); }});
  const std::string id = add().id;
  EXPECT_EQ(run(queue_->find(id, std::nullopt)).value()->sound, part);
  ASSERT_TRUE(there().set_sound(id, whole.bytes).value());
  EXPECT_EQ(run(queue_->find(id, std::nullopt)).value()->sound, whole);
}

TEST_F(SharedQueue, WhoWatchesAJobSeesWhatOthersDoToIt) {
  const std::string id = add().id;
  follow();
  JobWatch watch(*queue_, id);
  EXPECT_TRUE(run(watch.changed(far()))) << "others may have changed it before it was looked at";
  EXPECT_FALSE(run(watch.changed(steady_clock::now() + std::chrono::milliseconds(300))));
  ASSERT_TRUE(here().set_speaker_names(id, {}));
  EXPECT_TRUE(run(watch.changed(far())));
  ASSERT_TRUE(here().remove(id));
  EXPECT_TRUE(run(watch.changed(far())));
}

TEST_F(SharedQueue, WatchedJobsAreLookedAtHoweverManyOthersComeToBeWatched) {
  const std::string id = add().id;
  follow();
  JobWatch watch(*queue_, id);
  EXPECT_TRUE(run(watch.changed(far())));
  ASSERT_TRUE(here().set_speaker_names(id, {}));
  const test::Started<bool> changed(io_, watch.changed(far()));
  for (int i = 0; i < 500 && !changed.ended(); ++i) {
    const JobWatch another(*queue_, "none");
    io_.restart();
    io_.run_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(changed.ended()) << "each of them comes before the next look";
  test::run_until(io_, [&] { return changed.ended(); });
}

TEST_F(SharedQueue, AnIdThatIsNoneHidesNoOther) {
  const std::string id = add().id;
  follow();
  JobWatch odd(*queue_, "{\"a,b\\"), other(*queue_, std::string("\0", 1)), watch(*queue_, id);
  EXPECT_TRUE(run(watch.changed(far())));
  ASSERT_TRUE(here().set_speaker_names(id, {}));
  EXPECT_TRUE(run(watch.changed(far())));
}

TEST_F(SharedQueue, ARunThatIsTakenAwayIsTold) {
  const std::string id = add().id;
  const Job job = run(queue_->claim(false)).value();
  ASSERT_TRUE(here().cancel(id, "ada").value());
  const auto written = run(queue_->set_progress(claim_of(job), {}, "de"));
  EXPECT_EQ(written.error().code, errc::claim_lost);
}

TEST_F(SharedQueue, ARunThatIsTakenAwayStopsAlthoughItWritesNothing) {
  const std::string id = add().id;
  const std::string other = add().id;
  follow();
  bool is_stopped = false, is_other_stopped = false;
  const Job job = run(queue_->claim(false)).value();
  queue_->on_cancel(claim_of(job), [&] { is_stopped = true; });
  const Job other_job = run(queue_->claim(false)).value();
  queue_->on_cancel(claim_of(other_job), [&] { is_other_stopped = true; });
  ASSERT_TRUE(here().cancel(id, "ada").value());
  test::run_until(io_, [&] { return is_stopped; });
  EXPECT_FALSE(is_other_stopped);
  EXPECT_EQ(queue_->running(), 1);
}

// Queues of two daemons that tell each other, and look only once an hour.
class QueuesWithNews : public SharedQueue {
 protected:
  void SetUp() override {
    settings_.has_news = true;
    queue_settings_.look_beside_news_every = std::chrono::hours(1);
    queue_settings_.check_runs_every = std::chrono::hours(1);
    SharedQueue::SetUp();
    if (IsSkipped()) return;
    gateway_.emplace(io_.get_executor(), open("gateway", true), queue_settings_);
    test::run_until(io_, [&] { return queue_->hears_others() && gateway_->hears_others(); });
  }
  void TearDown() override {
    gateway_.reset();
    SharedQueue::TearDown();
  }

  std::optional<JobQueue> gateway_{};
};

TEST_F(QueuesWithNews, AnIdleRunnerIsTold) {
  const test::Started<Result<Job>> claiming(io_, queue_->claim(false));
  const test::Started<Result<Job>> for_clients(io_, queue_->claim(true));
  const auto job = run(gateway_->submit({.owner = "ada"})).value();
  const auto of_client = run(gateway_->submit({.owner = "ada", .detached = false})).value();
  test::run_until(io_, [&] { return claiming.ended() && for_clients.ended(); });
  EXPECT_EQ(claiming.value()->id, job.id);
  EXPECT_EQ(for_clients.value()->id, of_client.id);
}

TEST_F(QueuesWithNews, WhoWatchesAJobIsToldOfItsLifeElsewhere) {
  const auto job = run(gateway_->submit({.owner = "ada"})).value();
  std::vector<JobNotice> told;
  gateway_->on_change([&](const JobNotice& notice) { told.push_back(notice); });
  JobWatch watch(*gateway_, job.id);
  const Claim claim = claim_of(run(queue_->claim(false)).value());
  EXPECT_TRUE(run(watch.changed(far())));
  ASSERT_TRUE(run(queue_->finish(claim, {})));
  const auto is_end = [](const auto& one) { return one.kind == JobNotice::Kind::ended; };
  test::run_until(io_, [&] { return std::ranges::any_of(told, is_end); });
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_EQ(std::ranges::find_if(told, is_end)->owner, "ada");
}

TEST_F(QueuesWithNews, ARunHearsOfItsCancel) {
  const auto job = run(gateway_->submit({.owner = "ada"})).value();
  bool is_stopped = false;
  queue_->on_cancel(claim_of(run(queue_->claim(false)).value()), [&] { is_stopped = true; });
  follow();
  ASSERT_TRUE(run(gateway_->cancel(job.id)));
  test::run_until(io_, [&] { return is_stopped; });
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
  EXPECT_EQ(submit("/first").error().code, errc::answer_lost);
  EXPECT_EQ(removed(), std::vector<std::string>());
  EXPECT_EQ(submit("/second")->request.input, "/first");
  EXPECT_EQ(removed(), std::vector<std::string>{"/second"});
}

TEST_F(QueueBehindAProxy, AJobThatCertainlyWasNotAcceptedKeepsNoFile) {
  proxy_.reset();  // nobody listens there any more
  const auto refused =
      run(queue_->submit({.input = "/file", .input_is_ours = true, .owner = "ada"}));
  EXPECT_EQ(refused.error().code, errc::database_unavailable);
  EXPECT_EQ(removed(), std::vector<std::string>{"/file"});
}

TEST_F(QueueBehindAProxy, AStoreThatAnswersAgainIsOneThatAnswers) {
  ASSERT_TRUE(run(queue_->find("none", "ada")));  // waiting jobs are counted for a second
  proxy_->cut();
  ASSERT_FALSE(run(queue_->submit({.input = "/file", .owner = "ada"})));
  EXPECT_FALSE(queue_->store_answers());
  ASSERT_TRUE(run(queue_->find("none", "ada")));
  EXPECT_TRUE(queue_->store_answers()) << "also before waiting jobs are counted again";
}

// A daemon that is not ready gets no requests, which would tell.
TEST_F(QueueBehindAProxy, AStoreThatWasAwayIsAskedAgainThoughNobodyWantsAnything) {
  ASSERT_TRUE(run(queue_->find("none", "ada")));
  proxy_->cut();
  ASSERT_FALSE(run(queue_->submit({.input = "/file", .owner = "ada"})));
  EXPECT_FALSE(queue_->store_answers());
  test::run_until(io_, [&] { return queue_->store_answers(); });
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
