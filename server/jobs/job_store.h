#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "server/base/error.h"
#include "server/jobs/job.h"

namespace server {

// How a job ended.
struct JobEnd {
  JobState state = JobState::done;
  std::optional<protocol::Error> error{};
  protocol::Transcript summary{};  // its text and segments are not kept from here
};

// The file of a job that has not ended, where it is ours.
struct KeptInput {
  std::filesystem::path file{};
  std::string owner{};
};

// Jobs that outlive the process: what a call has answered is on the disk, also after a crash or a
// loss of power. A job whose client waits for it (`detached` is false) would be of no use after
// that: it is in memory alone until detach(), and costs no write. Calls block for the disk
// (milliseconds). One thread at a time.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // A new job, or the one that this owner's idempotency key already has. Errors: key_reused where
  // that one has another fingerprint.
  virtual Result<Job> add(JobRequest request) = 0;
  virtual Result<bool> knows_key(const std::string& owner, const std::string& key) = 0;

  // Nothing where there is none, or where it is somebody else's. From here on, of the options of a
  // request only take() gives all; the others have what is shown of a job (see shown_options()).
  virtual Result<std::optional<Job>> find(const std::string& id, const std::string& owner) = 0;
  // The newest first; `before` continues after the last one of an earlier call. The error is usage
  // where this owner has no such job any more: an empty answer would be taken for the end.
  virtual Result<std::vector<Job>> list(const std::string& owner, int limit,
                                        const std::string& before) = 0;
  virtual Result<std::vector<protocol::Segment>> segments(const std::string& id, int first,
                                                          int limit) = 0;

  // The next job to do, of those for which a client waits or of the others; it is running now, with
  // one attempt more. Nothing where none waits, or only such whose owners have as many running as
  // one may. Owners take turns (owners_turn.h).
  virtual Result<std::optional<Job>> take(bool waited_for) = 0;
  // How many may run of one owner from now on, as in JobStoreSettings. What runs goes on.
  virtual void set_most_running(int most, int most_waited_for) = 0;

  // Of a running job: what was decided since, in order. Of any other they change nothing. Position
  // and duration only grow.
  virtual Result<void> add_segments(const std::string& id,
                                    std::span<const protocol::Segment> segments) = 0;
  virtual Result<void> set_progress(const std::string& id, double position, double duration,
                                    const std::string& language) = 0;
  // The job as it ended; nothing where it had ended before. Also ends one that waits.
  virtual Result<std::optional<Job>> finish(const std::string& id, const JobEnd& end) = 0;
  // Back into the queue, to go on behind its last segment. An orderly stop does not count as an
  // attempt.
  virtual Result<void> requeue(const std::string& id, bool counts) = 0;

  // Its client leaves it to itself, whether or not it has ended: from now on it is on the disk.
  virtual Result<void> detach(const std::string& id) = 0;
  // Removes it for ever, whatever its state.
  virtual Result<void> remove(const std::string& id) = 0;
  // The inputs that are ours, of all jobs that have not ended.
  virtual Result<std::vector<KeptInput>> inputs() = 0;

  // After a start: what was running when the process ended waits again, and has failed where it was
  // begun too often without getting any further. Returns how many were found running.
  virtual Result<int> recover() = 0;
  // Forgets what has expired, and what one owner has too much of, by a clock that can be relied on:
  // see SettledClock. What would expire later than a new job, because the clock was wrong when it
  // ended, expires like one that ended now. How many.
  virtual Result<int> remove_expired() = 0;
  // The ids of the jobs that wait, in the order in which take() gives them if no other ends before.
  virtual Result<std::vector<std::string>> waiting() = 0;
  // All that wait, or this owner's.
  virtual Result<int> count_waiting(const std::optional<std::string>& owner) = 0;

  // Ended jobs whose webhook is still to be delivered: at most 1000, of each owner the oldest, in
  // turn.
  virtual Result<std::vector<Job>> undelivered() = 0;
  virtual Result<void> set_delivered(const std::string& id) = 0;
};

struct JobStoreSettings {
  std::filesystem::path file{};  // made with mode 0600; its folder must exist
  int max_attempts = 3;          // without anything that was decided
  // Of those for which nobody waits, and of those for which a client does.
  int max_running_per_owner = std::numeric_limits<int>::max();
  int max_waited_for_per_owner = std::numeric_limits<int>::max();
  double keep_s = 24 * 3600;  // an ended job
  // Ended jobs of one owner; of more the oldest go before their time, so that the disk has an end.
  std::int64_t max_kept_per_owner = 100'000;
  double (*now)() = nullptr;  // seconds since 1970; nullptr: the system's clock
};

// SQLite with a write-ahead log and a sync for every commit. Errors: damaged_store, newer_store,
// store_busy (another scribed has it), out_of_disk, io_error.
Result<std::unique_ptr<JobStore>> open_job_store(const JobStoreSettings& settings);

}  // namespace server
