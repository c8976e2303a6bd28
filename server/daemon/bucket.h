#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/config/config.h"
#include "server/daemon/database_uploads.h"
#include "server/inputs/spool.h"
#include "server/jobs/job_queue.h"
#include "server/log/log.h"
#include "server/objects/bucket_inputs.h"

// The bucket of recordings, as the daemon uses it.
namespace server {

// Returns nullptr if the configuration names none. A bucket that does not answer now may do so
// later; one that refuses is an error, bad_config. `log` outlives it.
Result<std::unique_ptr<BucketInputs>> open_bucket(const Config& config, const Spool& spool,
                                                  Log& log);

// Removes recordings that no job has: those whose daemon died in between, or could not reach the
// bucket when their job ended. Every daemon does so, once in an hour or so. A recording has its job
// right after it was put, so an old one without a job never gets one.
class BucketSweep {
 public:
  // `uploads` are those of all daemons; nullptr: those in the bucket are left alone.
  BucketSweep(BucketInputs& bucket, JobQueue& jobs, DatabaseUploads* uploads, const Spool& spool,
              Log& log);

  asio::awaitable<void> run_if_due();

  // Looks at what is older than `age`.
  asio::awaitable<void> run(std::chrono::seconds age);

 private:
  // The files that jobs name, and references into the bucket.
  asio::awaitable<Result<std::vector<std::filesystem::path>>> used_files();
  // Removes those of the recordings that no job has, and returns how many.
  asio::awaitable<Result<int>> sweep_recordings(std::vector<std::string> references);
  // Removes those of the objects that are sound of jobs that are gone, and returns of how many.
  asio::awaitable<int> sweep_sounds(std::vector<std::string> names);

  BucketInputs& bucket_;
  JobQueue& jobs_;
  DatabaseUploads* uploads_;
  const Spool& spool_;
  Log& log_;
  std::string behind_{};  // the name behind which the next sweep begins
  std::chrono::steady_clock::time_point due_;
};

}  // namespace server
