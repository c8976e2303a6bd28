#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "server/base/error.h"
#include "server/jobs/claim.h"
#include "server/jobs/job.h"
#include "server/jobs/job_filter.h"
#include "server/jobs/job_limits.h"
#include "server/jobs/job_news.h"
#include "server/jobs/run_write.h"
#include "server/jobs/text_draft.h"
#include "server/jobs/text_edit.h"
#include "server/jobs/text_rows.h"

namespace server {

// The end of a job: its state, and what is stored with it.
struct JobEnd {
  JobState state = JobState::done;
  std::optional<protocol::Error> error{};
  protocol::Transcript summary{};  // its text and segments are ignored: the store has them
  // The turns by which the stored segments are named and cut (protocol/word_speakers.h); none: they
  // stay as they are.
  std::vector<protocol::SpeakerTurn> exclusive_turns{};
};

// What people say of a job; what is missing stays as it is.
struct JobChange {
  std::optional<std::string> title{};
  std::optional<bool> pinned{};
  std::optional<protocol::SpeakerNames> speaker_names{};  // as rename_speakers() takes them
  bool shared = false;                                    // a link to it was made

  // Returns whether a person has put work into the job by it: such a job does not expire.
  bool is_work() const { return title || speaker_names || shared; }
};

// The input file of a job that has not ended, if scribed owns it.
struct KeptInput {
  std::filesystem::path file{};
  std::string owner{};
};

// A copy of a store that is being made, in calls of the store's thread.
class StoreBackup {
 public:
  virtual ~StoreBackup() = default;

  // Copies a slice. The last returns the inputs that scribed owns, of the jobs that are in the copy
  // by then: what was written since the first slice is in it, too.
  virtual Result<std::optional<std::vector<std::filesystem::path>>> step() = 0;
};

using EditBegin = boost::system::result<std::optional<Job>, EditRefusal>;
using DraftWritten = boost::system::result<bool, EditRefusal>;

// Stores jobs so that they outlive the process: what a call has answered is on the disk, also after
// a crash or a loss of power. A job whose client waits for it (`detached` is false) would be of no
// use after that: until detach() it ends with the process, and a store may have it in memory alone.
// Each call is whole: all of it happens, or nothing. Calls block for the disk (milliseconds). One
// thread at a time may call.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // Whether other processes work with the same jobs. What they change has to be looked for.
  virtual bool is_shared() const { return false; }
  // Opens the news of those; nullptr: there are none. `hear` is called on a thread of the news,
  // until they are destroyed, which must be before the store is.
  virtual std::unique_ptr<JobNews> open_news(const JobNews::Hear& /*hear*/) { return nullptr; }
  // Returns a mark for each of these jobs that is there. The mark of a job that has changed is
  // another one. A store that is not shared returns nothing.
  virtual Result<std::map<std::string, std::string>> marks(std::span<const std::string> /*ids*/) {
    return std::map<std::string, std::string>();
  }
  // Returns those of these claims that were lost to another process.
  virtual Result<std::vector<Claim>> lost_claims(std::span<const Claim> /*claims*/) {
    return std::vector<Claim>();
  }

  // Adds a job, or returns the one that this owner's idempotency key already has, whatever the
  // limits. A live one runs at once, and who submits it has claimed it; others wait. Errors:
  // key_reused if the key's job has another fingerprint, and those of check().
  virtual Result<Job> submit(JobRequest request, const JobLimits& limits) = 0;
  // Succeeds if submit() would take a job now. Errors: draining, queue_full, too_many_jobs,
  // too_much_sound.
  virtual Result<void> check(const std::string& owner, const std::string& key,
                             const JobLimits& limits) = 0;

  // Returns nothing if there is no such job, or if it is somebody else's; no owner stands for all
  // of them, also in list(). Of this and the following functions only claim() returns all options
  // of a request; the others return shown_options().
  virtual Result<std::optional<Job>> find(const std::string& id,
                                          const std::optional<std::string>& owner) = 0;
  // Returns the newest first; `before` continues after the last one of an earlier call. The error
  // is usage if this owner has no such job any more: an empty answer would be taken for the end.
  virtual Result<std::vector<Job>> list(const std::optional<std::string>& owner, int limit,
                                        const std::string& before) = 0;
  // Looks at up to `size` of the newest of the owner's jobs behind a place, and returns those that
  // pass the filter; with texts it looks at those which the index of texts names. The error is that
  // of list().
  virtual Result<JobSlice> slice(const std::optional<std::string>& owner, const JobFilter& filter,
                                 const JobPlace& behind, int size) = 0;
  // Returns segments as they were decided, with the names of their speakers. read_text() has those
  // that people have edited.
  virtual Result<std::vector<protocol::Segment>> segments(const std::string& id, int first,
                                                          int limit) = 0;
  // Replaces the names of the job's speakers.
  virtual Result<void> set_speaker_names(const std::string& id,
                                         const protocol::SpeakerNames& names) = 0;

  // What people do to a job. It is on the disk from then on, as by detach().

  // An empty title gives the job the name of its file back. A job with a title, with names or a
  // link does not expire, nor does one whose text was edited. Pinned, it does not expire either; it
  // is kept for its whole time again when it no longer is. Returns the job as it is then. Errors:
  // job_not_found, too_many_jobs where the owner has pinned too many, and those of
  // rename_speakers(); nothing is changed then.
  virtual Result<Job> change(const std::string& id, const std::string& owner,
                             const JobChange& change) = 0;
  // An edit of a text is made in several calls (edited_text.h), so that none takes long. Two edits
  // of one job at a time are the caller's fault, who sees to that within a process.

  // Returns the job whose text is to be edited, on the disk from now on; nothing: there is more to
  // be prepared, and this is to be called again. Errors: job_not_found, job_not_ended,
  // version_conflict (another version is the newest), too_many_versions.
  virtual EditBegin begin_edit(const TextTarget& target) = 0;
  // Writes a slice of a draft. Nobody sees any of it, also after a crash, before all is written:
  // then this returns true, and the version is the newest. Errors: job_not_found, version_conflict.
  virtual DraftWritten write_draft(TextDraft& draft) = 0;
  // Removes a slice of what was written of a draft that is given up; returns true if there is more.
  virtual Result<bool> drop_draft(TextDraft& draft) = 0;
  // Calls `read` with the rows of a job's text, in this call. The error is job_not_found.
  virtual Result<void> read_text(const std::string& id, const ReadText& read) = 0;
  // Returns at most so many versions from one downwards, without version 0.
  virtual Result<std::vector<TextVersion>> versions(const std::string& id, int from, int limit) = 0;

  // Returns the first places, at most so many, where a text stands in the newest version; nothing:
  // that is long and has to be read (text_scan.h).
  virtual Result<std::optional<std::vector<TextMatch>>> matches(const std::string& id,
                                                                const std::string& text,
                                                                int most) = 0;
  // Indexes a slice of a job for searches, which read its text until all of it is: one of an
  // earlier version of scribed, or one of which much has changed. Counts the bytes of a job of an
  // earlier version, too. Returns false if all are indexed and counted.
  virtual Result<bool> index_next() = 0;

  // Begins the next job and returns it: it is running now, with one attempt more, and claim_of() it
  // is what its run writes by. Returns nothing if none waits, or if the owners of all that wait run
  // as many as they may. Owners take turns (README.md, turn_rules.h). A live job is nobody's turn.
  virtual Result<std::optional<Job>> claim(const ClaimRequest& request) = 0;

  // What the run of a job writes. The error is claim_lost, and nothing is changed, if the job is no
  // longer the run's.

  // Writes for several runs at once, each at most once, and returns the answers in their order. A
  // run whose write fails changes nothing for the others, unless the store as such fails.
  virtual std::vector<Result<void>> write_runs(std::span<const RunWrite> writes) = 0;
  // These two write for one run.
  Result<void> add_segments(const Claim& claim, std::span<const protocol::Segment> segments) {
    const RunWrite write{claim, {segments.begin(), segments.end()}, {}};
    return write_runs({&write, 1}).front();
  }
  Result<void> set_progress(const Claim& claim, double position, double duration,
                            const std::string& language) {
    const RunWrite write{claim, {}, RunProgress{position, duration, language}};
    return write_runs({&write, 1}).front();
  }
  // Ends the job, and returns it as it ended.
  virtual Result<Job> finish(const Claim& claim, const JobEnd& end) = 0;
  // Puts the job back into the queue, to go on behind its last segment; it keeps its turn. An
  // orderly stop does not count as an attempt. One that counts, because a worker died, is not
  // begun again before a while has passed, which doubles with each attempt without progress: from
  // two seconds on, or one where the last got further, to a minute. Others are begun meanwhile.
  virtual Result<void> requeue(const Claim& claim, bool counts) = 0;

  // Ends a job that runs or waits, for its owner or (none) for an operator; whoever has claimed it
  // has it no more. Returns it as it ended; nothing if it had ended before, or if find() would
  // return nothing.
  virtual Result<std::optional<Job>> cancel(const std::string& id,
                                            const std::optional<std::string>& owner) = 0;

  // The client no longer waits for the job, whether or not it has ended: from now on it is on the
  // disk.
  virtual Result<void> detach(const std::string& id) = 0;
  // Removes the job for ever, whatever its state.
  virtual Result<void> remove(const std::string& id) = 0;
  // Does a short piece of what removals have left to do, which gives their space back to the disk.
  // Returns whether there is more.
  virtual Result<bool> tidy_up() { return false; }
  // Returns the inputs that scribed owns, of all jobs that have not ended.
  virtual Result<std::vector<KeptInput>> inputs() = 0;

  // Called after a start: jobs that ran when the process ended wait again, and that run is none of
  // their attempts without progress. They have failed if they were begun most_begins times (see
  // job_end.h) and got no further in the last of them. Returns how many were found running. Beside
  // those, live ones are done.
  virtual Result<int> recover() = 0;
  // Removes jobs that have expired and those that an owner has too many of, by a clock that can be
  // relied on (see SettledClock). A job whose expiry lies later than a new job's, because the clock
  // was wrong when it ended, expires like one that ended now. Returns how many were removed;
  // where these are some, there may be more.
  virtual Result<int> remove_expired() = 0;
  // Returns the ids of the jobs that wait, in the order in which claim() gives them if none ends
  // before.
  virtual Result<std::vector<std::string>> waiting() = 0;
  // Returns the place of one of them, counted from 1; nothing if it does not wait.
  virtual Result<std::optional<int>> place(const std::string& id) {
    const auto order = waiting();
    if (!order) return order.error();
    const auto found = std::ranges::find(*order, id);
    if (found == order->end()) return std::nullopt;
    return static_cast<int>(found - order->begin()) + 1;
  }
  virtual Result<int> count_waiting() = 0;
  // Returns for each model how many seconds of sound are still to be transcribed of jobs that wait
  // or run. A length that is not known yet counts as the mean of jobs that ended lately. A store
  // that is not shared returns nothing.
  virtual Result<std::map<std::string, double>> sound_to_do() {
    return std::map<std::string, double>();
  }
  virtual Result<OwnerUse> use_of(const std::string& owner) = 0;
  // Returns how many bytes of jobs each owner has stored; nothing if no job has changed since the
  // last call.
  virtual Result<std::optional<StoredBytes>> stored_bytes() = 0;
  // Counts seconds of sound that were transcribed for the owner today.
  virtual Result<void> add_sound(const std::string& owner, double seconds) = 0;

  // Begins a copy of the jobs on the disk into a new file, by SQLite's online backup; it must end
  // before the store. Jobs whose clients wait are left out: they end with them. A server of
  // databases has means of its own for that, and its store returns an error that names them.
  virtual Result<std::unique_ptr<StoreBackup>> back_up(const std::filesystem::path& file) = 0;

  // For stores that are shared. Notes that all of a job's sound, so many bytes, lies where every
  // daemon reads it; returns whether there still is such a job.
  virtual Result<bool> set_sound(const std::string&, std::uint64_t) { return false; }
  // Returns up to `most` jobs that are gone, and whose sound was noted. Each is told once.
  virtual Result<std::vector<std::string>> sounds_left(int) { return std::vector<std::string>(); }

  // Returns ended jobs whose webhook is still to be delivered: at most 1000, of each owner the
  // oldest, in turn.
  virtual Result<std::vector<Job>> undelivered() = 0;
  virtual Result<void> set_delivered(const std::string& id) = 0;
};

}  // namespace server
