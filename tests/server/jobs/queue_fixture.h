#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "server/base/random_id.h"
#include "server/jobs/job_queue.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/held.h"
#include "tests/server/run_coroutine.h"

namespace server::test {

// A queue over a store in a folder of its own, where nothing runs but what the test does.
class QueueFixture : public testing::Test {
 protected:
  QueueFixture()
      : folder_(std::filesystem::temp_directory_path() / ("scribed-queue-" + random_id())) {
    std::filesystem::create_directory(folder_);
    make({.limits = {.max_waiting = 3, .max_waiting_per_owner = 2}});
  }
  ~QueueFixture() override {
    queue_.reset();
    std::filesystem::remove_all(folder_);
  }

  void make(JobQueue::Settings settings) {
    queue_.reset();
    auto store = open_job_store({.file = folder_ / "jobs.sqlite"}).value();
    queue_ = std::make_unique<JobQueue>(io_.get_executor(), std::move(store), settings);
  }

  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }

  Result<Job> submit(const std::string& owner = "ada") {
    return run(queue_->submit({.model = "base", .input = "/a.wav", .owner = owner}));
  }
  JobState state(const std::string& id) {
    return run(queue_->find(id, "ada")).value().value().state;
  }
  Claim held(const std::string& id) { return test::held(io_, *queue_, id); }
  // Runs handlers until none is ready. The database's thread does one thing after the other, so an
  // answer of its means that all that was asked before it is done; what comes of that asks again.
  void settle() {
    for (int round = 0; round < 8; ++round) {
      ASSERT_FALSE(run(queue_->find("none", "nobody")).value());
      io_.restart();
      io_.poll();
    }
  }

  std::filesystem::path folder_;
  asio::io_context io_;
  std::unique_ptr<JobQueue> queue_;
};

}  // namespace server::test
