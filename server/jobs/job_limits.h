#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "server/base/error.h"

namespace server {

class JobStore;
struct Job;
struct JobRequest;

// What one owner may use, beside what holds for everybody. Nothing: no limit of its own.
struct OwnerLimits {
  std::optional<std::int64_t> open_jobs{};  // jobs that wait or run
  std::optional<std::int64_t> sound_seconds_per_day{};
};

struct JobLimits {
  int max_waiting = 512;
  int max_waiting_per_owner = 128;
  std::map<std::string, OwnerLimits> of_owner{};
};

// What one owner uses now.
struct OwnerUse {
  int open_jobs = 0;
  double sound_seconds = 0;  // of jobs that have ended since midnight UTC, where it is counted
  double held_seconds = 0;   // of sound of jobs that have not ended, as far as it is known
};

// Succeeds if one more job of the owner may be accepted. A repetition of a request that was
// accepted before, which `key` tells, is answered whatever the limits. It runs on the store's
// thread. Errors: queue_full, too_many_jobs, too_much_sound, draining, and the store's.
Result<void> check_limits(JobStore& store, const std::string& owner, const std::string& key,
                          const JobLimits& limits, bool is_draining);

// Adds the job if check_limits() lets it in.
Result<Job> add_within(JobStore& store, const JobRequest& request, const JobLimits& limits,
                       bool is_draining);

// Counts the sound of a job that has ended, where its owner has a limit for that: others cost no
// write.
void count_sound_of(JobStore& store, const Job& job, const JobLimits& limits);

}  // namespace server
