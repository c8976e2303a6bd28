#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "server/base/fair_calls.h"
#include "server/config/config.h"
#include "server/daemon/bucket.h"
#include "server/daemon/database_uploads.h"
#include "server/daemon/model_fetch.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/readiness.h"
#include "server/daemon/settled_clock.h"
#include "server/daemon/shared_sounds.h"
#include "server/daemon/storage.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/spool.h"
#include "server/inputs/uploads.h"
#include "server/inputs/url_fetcher.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/job_runner.h"
#include "server/log/log.h"
#include "server/models/hub.h"
#include "server/objects/bucket_inputs.h"
#include "server/process/decoders.h"
#include "server/process/programs.h"
#include "server/pulls/model_pulls.h"
#include "server/submission/services.h"
#include "server/transcription/model_pool.h"
#include "server/transcription/worker_setup.h"

namespace server {

// The part that `scribed serve` and `scribed mcp` share: jobs, models, and the inputs of sound. It
// is used on the executor's thread. It ends with stop(), after which the executor must not run any
// more.
class JobService {
 public:
  struct Settings {
    Config config{};
    SetupSources sources;
    std::filesystem::path state_folder{};  // used by this process alone, which holds its lock
    std::vector<std::filesystem::path> allow_paths{};
    bool has_several_owners = false;  // jobs have several owners: none may hold every place
    HubAccess hub{};                  // where models are fetched from
  };

  // Errors: those of the folders, and store_busy.
  static Result<std::unique_ptr<JobService>> open(asio::any_io_executor executor, Log& log,
                                                  Settings settings);
  JobService(const JobService&) = delete;
  ~JobService();

  Services& services() { return services_; }
  JobQueue& jobs() { return jobs_; }
  ModelPool& models() { return models_; }
  ModelPulls& pulls() { return pulls_; }

  // Resumes the jobs that were left, and begins to work.
  void start();
  // Sets the limits of the configuration and of keys for what comes from now on. Where jobs have
  // several owners, none of them may hold every place.
  void set_limits(const Config& config, const Owners& owners);
  // Sets what is called after jobs have expired, which are not told one by one.
  void on_jobs_expired(std::function<void()> callback) { on_jobs_expired_ = std::move(callback); }
  // Sets what is called for every job that has ended.
  void on_job_end(std::function<void(const Job&)> callback);

  // Accepts nothing from now on. It ends when the running jobs have ended or were put back, at the
  // latest `grace` and a few seconds later.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  // Returns why the service cannot work now; empty: it can.
  std::optional<NotReady> not_ready() { return readiness_.problem(); }

 private:
  static constexpr int disk_threads = 4;
  static constexpr int max_disk_calls_of_one = 256;
  static constexpr int text_threads = 4;
  static constexpr int max_text_calls_of_one = 128;

  JobService(asio::any_io_executor executor, Log& log, Settings settings, const Programs& programs,
             Storage storage, std::unique_ptr<BucketInputs> bucket);

  asio::awaitable<Result<Input>> open_input(const JobRequest& request);
  void remove_input(const std::string& input);
  asio::awaitable<void> preload();
  asio::awaitable<void> keep_house();
  asio::awaitable<int> remove_expired_jobs();
  asio::awaitable<void> remove_sounds_without_job();
  asio::awaitable<void> keep_shared();
  asio::awaitable<void> index_jobs();
  void spawn(asio::awaitable<void> work);
  void begun(const Job& job, const protocol::ModelLoaded& model);
  void ended(const Job& job);
  void pull_ended(const std::string& model, const std::optional<Error>& error);

  asio::any_io_executor executor_;
  Log& log_;
  Settings settings_;
  AllowedPaths paths_;
  Spool spool_;
  Uploads uploads_;
  SoundStore sounds_;
  platform::UniqueFd lock_;  // of the state folder, where the jobs are elsewhere
  // These two are there if several daemons have the same jobs. The threads of the disk and of the
  // store, which use them, end before they do.
  std::optional<DatabaseUploads> shared_uploads_{};
  std::optional<SharedSounds> shared_sounds_{};
  FairCalls disk_{disk_threads, max_disk_calls_of_one};
  FairCalls texts_{text_threads, max_text_calls_of_one};
  std::optional<UrlFetcher> urls_{};
  std::unique_ptr<BucketInputs> bucket_;  // nullptr: recordings are in the spool alone
  JobQueue jobs_;
  ModelPool models_;
  Decoders clip_decoders_;  // of clips of speakers who are known by name
  ModelPulls pulls_;
  ModelFetch fetch_;
  JobRunner runner_;
  Services services_;
  std::function<void(const Job&)> on_job_end_ = [](const Job&) {};
  std::function<void()> on_jobs_expired_ = [] {};
  Readiness readiness_;
  asio::steady_timer housekeeping_;
  SettledClock clock_{};
  std::optional<BucketSweep> sweep_{};  // of the bucket
  bool started_ = false;
  int recovered_ = 0;  // jobs that ran when the last process ended
};

}  // namespace server
