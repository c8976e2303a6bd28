#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "server/inputs/input.h"
#include "server/inputs/sound_store.h"
#include "server/jobs/job_run.h"
#include "server/transcription/model_pool.h"

namespace server {

// Takes jobs from the queue and transcribes several at a time. Decided segments go into the store
// as they come, so that a job that is begun again goes on behind them. All calls are on the
// executor's thread.
class JobRunner {
 public:
  static constexpr std::size_t most_spares = 64;

  struct Settings {
    // Opens a job's input. It is called when the job begins, so that a path is judged by what it
    // leads to then. input_lost ends a job; after recordings_unavailable it waits again.
    std::function<asio::awaitable<Result<Input>>(const JobRequest&)> open_input{};
    const SoundStore* sounds = nullptr;  // keeps what jobs have heard; nullptr: nothing does
    // Hears of a job whose sound is there as a whole, before its text is.
    std::function<void(const std::string& id)> on_sound = [](const std::string&) {};
    // Returns whether a model that the job needs is being fetched: the job waits for that.
    std::function<bool(const JobRequest& request)> is_fetching = [](const JobRequest&) {
      return false;
    };
    // Checks that models which a job has waited for have come.
    std::function<Result<void>(const JobRequest& request)> check_fetched =
        [](const JobRequest&) -> Result<void> { return {}; };
    JobRun::OnStoreError on_store_error = [](const Error&) {};
    // Called when a job is handed to a worker, each time that it is.
    std::function<void(const Job&, const protocol::ModelLoaded&)> on_begin =
        [](const Job&, const protocol::ModelLoaded&) {};
    // The number of jobs at once for which nobody waits; the pool's models decide how many of them
    // really run.
    int parallel = 4;
    int waited = 32;  // jobs beside them for which a client waits
    // How long a runner that could not get a recording leaves jobs to others.
    std::chrono::milliseconds pause_without_input{10'000};
    int max_attempts = 3;  // of a job whose worker dies before it decides anything more
  };

  JobRunner(asio::any_io_executor executor, JobQueue& queue, ModelPool& models, Settings settings);
  // stop() must have ended, if start() was called.
  ~JobRunner();

  void start();
  // Sets how many owners jobs may have. Where there are several, each gets a runner beyond the
  // number for a job while none of that owner runs, of those that nobody waits for and of the
  // others: a few owners would keep all the rest waiting until their recordings end. There are
  // `most_spares` of each at most.
  void set_owners(std::size_t owners);

  // Takes no more jobs, lets those that run go on for `grace`, and then puts them back into the
  // queue, or cancels those for which a client waits. The queue has to be drained before.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

 private:
  class Listed;

  std::vector<std::string> loaded_models() const;
  void spawn(bool waited_for, bool is_spare);
  void spawn_spares();
  asio::awaitable<void> work(bool waited_for, bool is_spare);
  asio::awaitable<void> run(Job job);
  asio::awaitable<Result<Input>> open_input(const Job& job, JobRun& run);
  asio::awaitable<Result<void>> wait_for_sound_left(const Job& job, JobRun& run);
  asio::awaitable<Result<void>> transcribe(const Job& job, JobRun& run);
  asio::awaitable<void> settle(const Job& job, JobRun& run, Result<void> result);
  asio::awaitable<void> put_back(const Job& job);
  asio::awaitable<void> requeue(const JobRun& run, bool counts);
  asio::awaitable<void> wait_for_input(const JobRun& run);
  asio::awaitable<bool> begin_again(const Job& job, const JobRun& run, const Error& error);
  using Attempt = std::function<asio::awaitable<Result<void>>()>;
  asio::awaitable<bool> insist(const Attempt& attempt);
  // Returns how the run makes way for others.
  GiveWay give_way(const Job& job, JobRun& run);

  asio::awaitable<Result<void>> fetched_model(const Job& job, JobRun& run);
  asio::awaitable<void> exclusive_turn(const Job& job, JobRun& run);
  void end_exclusive_turn(const JobRun& run);
  asio::awaitable<void> pause(std::chrono::milliseconds time);

  asio::any_io_executor executor_;
  JobQueue& queue_;
  ModelPool& models_;
  Settings settings_;
  std::list<JobRun*> runs_{};        // owned by their coroutines
  JobRun* exclusive_run_ = nullptr;  // the one run that may be what kills workers
  int runners_ = 0;
  bool has_started_ = false;
  std::size_t wanted_spares_ = 0, spares_ = 0;  // of each kind
  // How often jobs were ended before they were ready to give way, by number. A job that lost its
  // listening so has twice the time when it is begun again, here and until it has ended.
  std::map<std::int64_t, int> ended_early_{};
  bool puts_back_ = false;  // the grace is over
};

}  // namespace server
