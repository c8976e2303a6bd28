#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocol/speaker_names.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"
#include "protocol/work_class.h"
#include "protocol/writers.h"
#include "server/base/error.h"
#include "server/base/trace.h"
#include "server/inputs/kept_sound.h"
#include "server/process/decoder_options.h"
#include "server/transcription/progress.h"

namespace server {

// The database stores these numbers: new states go to the end.
enum class JobState { queued, running, done, failed, cancelled };

const char* name(JobState state);  // "queued", …
bool has_ended(JobState state);

// The work that a client asked for, as it was accepted.
struct JobRequest {
  std::string model{};
  // The file with the sound, or where a store of recordings has it: "object:NAME".
  std::string input{};
  bool input_is_ours = false;     // an upload: scribed removes the file when the job has ended
  std::string title{};            // the name of the client's file
  std::string owner{};            // the principal it belongs to; nobody else sees it
  std::string idempotency_key{};  // an owner's requests with the same key are one job; empty: none
  std::string fingerprint{};      // a digest of what the client sent under that key
  protocol::TranscribeOptions options{};
  DecoderOptions decoder{};
  bool split_channels = false;                // transcribes the first two channels separately
  std::vector<std::string> channel_labels{};  // names of the two channels; none, or two
  // how long the model stays loaded afterwards; negative: for ever
  std::optional<double> keep_alive_s{};
  std::string webhook{};  // the address that is told of the job's end; empty: none
  // how long the job is kept after its end; unset: as long as the store keeps jobs
  std::optional<double> keep_results_s{};
  std::map<std::string, std::string> metadata{};  // the client's own, given back with the job
  bool bulk = false;  // begun where nothing else waits, and now and then all the same
  Trace trace{};      // the request that it came by
  // A live session that is kept: the job runs from its begin, and whoever has its sound writes it.
  // Where the process ends before, the job is done with what it has.
  bool live = false;
  // False while a client waits for the answer: such a job is in memory alone, and ends with its
  // client, or with the process.
  bool detached = true;
};

// Returns the class of the job's work, which follows from who waits for it.
protocol::WorkClass work_class_of(const JobRequest& request);

// Times are seconds since 1970.
struct Job {
  std::string id{};
  std::int64_t number = 0;  // gives the order of all jobs
  JobState state = JobState::queued;
  JobRequest request{};
  std::int64_t epoch = 0;             // grows with every begin, return and end (claim.h)
  int attempts = 0;                   // how often the job was begun
  int attempts_without_progress = 0;  // how often a worker had it since a segment was last decided
  double created = 0;
  double started = 0;   // when it was begun last; 0: never
  double finished = 0;  // 0: it has not ended
  double expires = 0;   // when the job is removed; 0 while it has not ended, or if it is pinned
  double position = 0;  // seconds of sound that are decided, as last written
  double duration = 0;  // seconds of sound, as far as they are known
  std::string language{};
  int segments = 0;  // of the newest version
  // A client waits for it at a daemon that begins none: it may be begun by any other.
  bool client_is_elsewhere = false;
  std::string title{};  // the name that a person gave it; empty: none
  bool pinned = false;  // it does not expire
  int version = 0;      // of the text: 0 is what was decided, each edit makes one more
  std::optional<Error> error{};
  protocol::Transcript summary{};  // of the last run, without text and segments: device, warnings …
  // The names that the owner gave to speakers. The turns of `summary` have the labels; segments
  // that the store returns have the names.
  protocol::SpeakerNames speaker_names{};
  // What is kept of its sound, which JobQueue fills in, too.
  std::optional<KeptSound> sound{};
  // The progress that clients see. JobQueue fills it in; the store has position and duration alone.
  TranscriptionProgress progress{};
};

// Returns what a job is called: the name that a person gave it, or that of the client's file.
const std::string& shown_title(const Job& job);

// Returns the progress that the job's row alone tells.
TranscriptionProgress stored_progress(const Job& job);

// Returns whether the job tells its speakers apart, so that there are formats of their turns; the
// error says that it does not.
Result<void> check_has_speakers(const Job& job);

// Returns what is known of a job's recording: its summary with the segments that are decided by
// now, and with its speakers' names.
protocol::Transcript transcript_of(const Job& job, std::vector<protocol::Segment> segments);

// Returns how the job's texts are written.
protocol::WriterOptions writer_options(const Job& job);

// The errors that all who work with jobs share: there is no such job (or it is somebody else's),
// also none behind which a list could go on; scribed is about to end and begins this one no more;
// an idempotency key has another request's job; an owner has pinned as many as one may.
Error job_not_found(const std::string& id);
Error no_such_place(const std::string& id);
Error draining();
Error key_reused();
Error too_many_pinned(std::int64_t most);

}  // namespace server
