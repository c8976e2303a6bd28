#include "server/daemon/webhooks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "server/base/random_id.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/outbound/loopback_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// The receiver refuses everything until it is told to accept, and a retry comes at once.
class JobWebhooksTest : public testing::Test {
 protected:
  JobWebhooksTest() : folder_(fs::temp_directory_path() / ("scribed-webhooks-" + random_id())) {
    fs::create_directory(folder_);
    auto store = open_job_store({.file = folder_ / "jobs.sqlite"}).value();
    queue_ = std::make_unique<JobQueue>(io_.get_executor(), std::move(store), JobQueue::Settings{});
    log_ = std::make_unique<Log>(Log::Settings{.fd = ::fileno(lines_)});
  }
  ~JobWebhooksTest() override {
    queue_.reset();
    log_.reset();
    std::fclose(lines_);
    fs::remove_all(folder_);
  }

  // Makes the webhooks, which notify of jobs that end from now on. Jobs that ended before belong to
  // an earlier process.
  void make_webhooks(int max_deliveries) {
    const auto soon = [](int, double) { return std::chrono::milliseconds(1); };
    sender_ = std::make_unique<WebhookSender>(WebhookSender::Settings{
        .allow_hosts = {"127.0.0.1"}, .max_deliveries_of_one = max_deliveries, .wait = soon});
    webhooks_ = std::make_unique<JobWebhooks>(io_.get_executor(), *queue_, *sender_, *log_);
    queue_->on_end([this](const Job& job) { webhooks_->tell(job); });
  }

  // Ends a job and returns its id.
  std::string end_job(const std::string& owner = "ada", const std::string& path = "/hook") {
    JobRequest request{.model = "base",
                       .input = "/a.wav",
                       .owner = owner,
                       .webhook = receiver_.url(path),
                       .trace = {.request_id = "asked-by-" + owner}};
    const auto id = test::run(io_, queue_->submit(std::move(request))).value().id;
    const Job job = test::run(io_, queue_->claim(false)).value();
    test::run(io_, queue_->finish(claim_of(job), {.state = JobState::done})).value();
    return id;
  }

  void tell_the_rest() {
    auto all = [this]() -> asio::awaitable<int> {
      co_await webhooks_->tell_the_rest();
      co_return 0;
    };
    test::run(io_, all());
  }

  int undelivered() {
    return static_cast<int>(test::run(io_, queue_->undelivered()).value().size());
  }
  void run_until_undelivered(int number) {
    test::run_until(io_, [&] { return undelivered() == number; });
  }

  std::string log() {
    log_.reset();  // writes the remaining lines
    std::string text(static_cast<std::size_t>(std::ftell(lines_)), '\0');
    std::rewind(lines_);
    text.resize(std::fread(text.data(), 1, text.size(), lines_));
    return text;
  }

  fs::path folder_;
  asio::io_context io_{1};
  std::FILE* lines_ = std::tmpfile();
  std::unique_ptr<Log> log_{};
  std::unique_ptr<JobQueue> queue_{};
  std::unique_ptr<WebhookSender> sender_{};
  std::unique_ptr<JobWebhooks> webhooks_{};
  std::atomic<bool> takes_ = false;
  std::atomic<int> taken_ = 0;
  std::atomic<int> refused_ = 0;
  test::LoopbackServer receiver_{[this](const std::string& request) {
    const bool is_refused = !takes_ || request.starts_with("POST /never");
    ++(is_refused ? refused_ : taken_);
    if (is_refused) return test::http_answer("503 Busy", "");
    return test::http_answer("200 OK", "");
  }};
};

TEST_F(JobWebhooksTest, TellsTheRestOnceThereIsRoom) {
  make_webhooks(1);
  tell_the_rest();
  for (int i = 0; i < 3; ++i) end_job();
  tell_the_rest();
  takes_ = true;
  for (int left = 2; left >= 0; --left) {
    run_until_undelivered(left);
    tell_the_rest();
  }
  EXPECT_EQ(taken_, 3);
  EXPECT_EQ(log().find("given up"), std::string::npos);
}

TEST_F(JobWebhooksTest, WhatOneCannotBeToldKeepsNoRoomOfOthers) {
  make_webhooks(1);
  takes_ = true;
  for (int i = 0; i < 3; ++i) end_job("ada", "/never");
  end_job("bob");
  run_until_undelivered(3);
  EXPECT_EQ(taken_, 1);
}

TEST_F(JobWebhooksTest, TheLogNamesTheRequestThatAskedForTheJob) {
  make_webhooks(1);
  end_job();
  test::run_until(io_, [&] { return refused_ >= 2; });  // the first failure was told of by then
  const std::string lines = log();
  EXPECT_NE(lines.find("webhook not delivered yet"), std::string::npos);
  EXPECT_NE(lines.find("request_id=asked-by-ada"), std::string::npos) << lines;
}

TEST_F(JobWebhooksTest, TellsWhatAnEarlierProcessLeft) {
  end_job();
  make_webhooks(8);
  takes_ = true;
  tell_the_rest();
  run_until_undelivered(0);
  EXPECT_EQ(taken_, 1);
}

TEST_F(JobWebhooksTest, TellsNobodyTwiceAtATime) {
  make_webhooks(8);
  end_job();
  tell_the_rest();  // the job is in the store, and its delivery has begun already
  takes_ = true;
  run_until_undelivered(0);
  end_job();
  run_until_undelivered(0);
  EXPECT_EQ(taken_, 2);
}

}  // namespace
}  // namespace server
