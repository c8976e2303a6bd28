#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"
#include "protocol/work_class.h"
#include "server/base/error.h"
#include "server/process/decoder_options.h"
#include "server/transcription/progress.h"

namespace server {

// The database has these numbers: new ones go to the end.
enum class JobState { queued, running, done, failed, cancelled };

const char* name(JobState state);  // "queued", …
bool has_ended(JobState state);

// What is to be done, as it was accepted.
struct JobRequest {
  std::string model{};
  std::string input{};            // the file with the sound
  bool input_is_ours = false;     // an upload: the file goes when the job has ended
  std::string title{};            // what a person would call it: the file's name
  std::string owner{};            // whose it is: nobody else sees it
  std::string idempotency_key{};  // the same one of the same owner is the same job; empty: none
  std::string fingerprint{};      // of what the client sent under that key
  protocol::TranscribeOptions options{};
  DecoderOptions decoder{};
  bool split_channels = false;                // the first two channels, each by itself
  std::vector<std::string> channel_labels{};  // of their text: none, or two
  std::optional<double> keep_alive_s{};       // of the model afterwards; negative: for ever
  std::string webhook{};                      // the address that is told of its end; empty: none
  // False while a client waits for the answer: such a job is in memory alone, and ends with its
  // client, or with the process.
  bool detached = true;
};

// The class of its work: who waits for it.
protocol::WorkClass work_class_of(const JobRequest& request);

// Times are seconds since 1970.
struct Job {
  std::string id{};
  JobState state = JobState::queued;
  JobRequest request{};
  int attempts = 0;                   // how often it was begun
  int attempts_without_progress = 0;  // how often it was begun since something was decided
  double created = 0;
  double started = 0;   // the last time; 0: never
  double finished = 0;  // 0: not yet
  double expires = 0;   // when it is forgotten; 0 while it has not ended
  double position = 0;  // seconds of sound that are decided, when that was written last
  double duration = 0;  // seconds of sound, as far as they are known
  std::string language{};
  int segments = 0;
  std::optional<Error> error{};
  protocol::Transcript summary{};  // of its last run, without text and segments: device, warnings …
  // What is told of it. JobQueue fills it in; in the store are position and duration alone.
  TranscriptionProgress progress{};
};

// How far a job is, as its row alone tells.
TranscriptionProgress stored_progress(const Job& job);

// What is known of a job's recording: its summary with the segments that are decided by now.
protocol::Transcript transcript_of(const Job& job, std::vector<protocol::Segment> segments);

// What all who work with jobs say in the same words: there is none (or it is somebody else's), and
// scribed is about to end and does not begin this one any more.
Error job_not_found(const std::string& id);
Error draining();

}  // namespace server
