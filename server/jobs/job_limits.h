#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "server/base/error.h"

namespace server {

class JobStore;
struct Job;

// What one owner may use, beside what holds for everybody. Nothing: no limit of its own.
struct OwnerLimits {
  std::optional<std::int64_t> open_jobs{};  // jobs that wait or run, and live sessions
  std::optional<std::int64_t> sound_seconds_per_day{};
  double weight = 1;  // of two owners with waiting jobs, who has twice the other's gets twice the
                      // turns
};

struct JobLimits {
  bool is_draining = false;        // scribed is about to end, and takes no job
  std::optional<Error> no_room{};  // why the job cannot be stored now
  int max_waiting = 512;
  int max_waiting_per_owner = 128;
  std::map<std::string, OwnerLimits> of_owner{};
  int live_sessions = 0;  // of the owner who is checked, at this daemon; each counts as a job
};

// How many jobs of one owner may run: those for which nobody waits, and those for which a client
// does.
struct RunningShares {
  int most = std::numeric_limits<int>::max();
  int most_waited_for = std::numeric_limits<int>::max();
};

// What one owner uses now.
struct OwnerUse {
  int open_jobs = 0;  // without those of live sessions, which are counted as sessions
  // Of jobs that have ended, and of live sessions, since midnight UTC, where it is counted.
  double sound_seconds = 0;
  double held_seconds = 0;  // of sound of jobs that have not ended, as far as it is known
  // The number of the first running job whose sound is not known yet; 0: there is none.
  std::int64_t first_unmeasured = 0;
  std::int64_t stored_bytes = 0;  // of jobs: their texts with all versions, titles, requests …
};

// How many bytes of jobs are stored, by their owners.
using StoredBytes = std::map<std::string, std::uint64_t>;

// What holds when a job comes: how many wait, and what its owner uses.
struct QueueUse {
  int waiting = 0;
  int waiting_of_owner = 0;
  OwnerUse owner{};
};

// Succeeds if one more job of the owner may be accepted; a live one waits for no place. Errors:
// draining, queue_full, too_many_jobs, too_much_sound.
Result<void> check_limits(const QueueUse& use, const std::string& owner, bool is_live,
                          const JobLimits& limits);

// Succeeds if a live session of the owner may go on, which counts among `live_sessions` already.
// Errors: too_many_jobs, too_much_sound.
Result<void> check_live_limits(const OwnerUse& use, const std::string& owner,
                               const JobLimits& limits);

// Returns whether a job of the owner that has waited may begin: others may have used up the sound
// of the day meanwhile, or hold it. False: a job before it has begun, of which nobody knows yet how
// much it takes, so this one has to wait. The error is too_much_sound.
Result<bool> check_begin(const OwnerUse& use, const std::string& owner, std::int64_t job,
                         const JobLimits& limits);

// Returns how many seconds of sound the owner may still have today; infinity: there is no limit.
double sound_left(const OwnerUse& use, const std::string& owner, const JobLimits& limits);

// The error of an owner who has used up the sound of the day.
Error too_much_sound(std::int64_t seconds);

// Returns whether the owner has limits on what one uses, which has to be counted then.
bool limits_use_of(const JobLimits& limits, const std::string& owner);

// Counts the sound of a job that has ended, where its owner has a limit for that: others cost no
// write. The sound of a live session was counted as it came.
void count_sound_of(JobStore& store, const Job& job, const JobLimits& limits);

}  // namespace server
