#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>

#include "server/inputs/sound_store.h"
#include "server/jobs/job_queue.h"
#include "server/log/log.h"
#include "server/objects/bucket_inputs.h"
#include "server/submission/services.h"

namespace server {

// The sound of jobs, for all daemons of a database. Sound that is whole goes into the bucket, as
// "sounds/JOB" and "sounds/JOB.peaks", and from the disk here; in a folder that all see it stays
// where it is. Either way its job says how much there is. It is used on the executor's thread.
class SharedSounds {
 public:
  // No bucket: the store's folder is the shared one. All must outlive this object.
  SharedSounds(asio::any_io_executor executor, JobQueue& jobs, SoundStore& sounds, FairCalls& disk,
               BucketInputs* bucket, Log& log);

  // Tells the others of a job's sound soon, if all of it is here.
  void share_later(const std::string& job);
  // Sends all that is here to the bucket and tells them of it: what could not be sent before, or
  // was left by an earlier process. Parts of sound of which they have the whole are removed.
  // Without a bucket there is nothing to do: sound lies where all find it.
  asio::awaitable<void> share_the_rest();

  // Removes the sound of jobs that are gone, whoever has removed them.
  asio::awaitable<void> remove_left();
  // Returns whether it is time to look for files of a shared folder whose job was removed while
  // nobody told so: once in an hour or so. In a bucket this is BucketSweep's.
  bool is_scan_due();

  // How the sound in the bucket is read.
  DistantSound distant() const;

  // The job whose sound, or peaks, an object of that name has; empty: it has neither.
  static std::string job_of(const std::string& object);

 private:
  // Errors: those of the bucket and of the jobs' store.
  asio::awaitable<Result<void>> share(std::string job);
  asio::awaitable<void> remove_stale_part(std::string job);
  // Sends the sound, tells the others of it, and removes it where it has no place any more.
  asio::awaitable<Result<void>> send_and_tell(std::string job, std::uint64_t bytes);
  asio::awaitable<Result<void>> send(std::string job);
  void remove(const std::string& job);  // here and in the bucket

  asio::any_io_executor executor_;
  JobQueue& jobs_;
  SoundStore& sounds_;
  FairCalls& disk_;
  BucketInputs* bucket_;
  Log& log_;
  std::set<std::string> sending_{};  // jobs, until nothing of them is left here
  std::chrono::steady_clock::time_point next_scan_;
};

}  // namespace server
