#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <string>

#include "server/jobs/job_queue.h"
#include "server/transcription/input.h"
#include "server/transcription/model_pool.h"

namespace server {

// Takes jobs from the queue and transcribes them, several beside each other. What is decided goes
// into the store as it comes, so that a job that is begun again goes on behind it. On the thread of
// the executor.
class JobRunner {
 public:
  struct Settings {
    // Opens a job's input. Called when the job begins, so that a path is judged by what it leads to
    // then.
    std::function<Result<Input>(const JobRequest&)> open_input{};
    int parallel = 4;      // jobs at once; the pool's models decide how many of them really run
    int max_attempts = 3;  // of a job whose worker dies before anything more is decided
  };

  JobRunner(asio::any_io_executor executor, JobQueue& queue, ModelPool& models, Settings settings);
  // stop() must have ended, if start() was called.
  ~JobRunner();

  void start();

  // Takes nothing more, lets what runs go on for `grace`, and puts the rest back into the queue, or
  // cancels it where a client waits for it. The queue has to be drained before.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

 private:
  class Run;

  asio::awaitable<void> work();
  asio::awaitable<void> run(Job job);
  asio::awaitable<void> settle(const Job& job, const Run& run, const Result<void>& result);

  asio::any_io_executor executor_;
  JobQueue& queue_;
  ModelPool& models_;
  Settings settings_;
  std::list<Run*> runs_{};    // they live in their coroutines
  asio::steady_timer ended_;  // cancelled when a runner ends
  int runners_ = 0;
};

}  // namespace server
