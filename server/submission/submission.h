#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "server/base/trace.h"
#include "server/options/beam_limit.h"
#include "server/submission/followed_job.h"
#include "server/submission/services.h"
#include "server/submission/source.h"

namespace server {

class CallPlaces;

// A transcription that a client asks for, whichever interface it uses.
struct SubmissionRequest {
  SoundSource source{};
  // Of sound without a header, at 16 kHz and of one channel: s16le, f32le …; empty: it has one.
  std::string input_format{};
  std::string owner{};  // the principal that asks
  // Has the right to say how long a model stays loaded, and to have more beams than others.
  bool may_manage = false;
  std::string model{};  // the client's name for it; empty: the default model
  protocol::TranscribeOptions options{};
  std::vector<NamedClip> known_speakers{};    // whoever names some has speakers told apart
  bool split_channels = false;                // transcribes the first two channels separately
  std::vector<std::string> channel_labels{};  // none, or two
  std::string audio_track{};                  // see DecoderOptions::track
  std::string timeline{};                     // see DecoderOptions::timeline
  // how long the model stays loaded afterwards; negative: for ever
  std::optional<double> keep_alive_s{};
  std::string webhook{};                   // the address that is told of the end; empty: none
  std::optional<double> keep_results_s{};  // unset: as long as the store keeps jobs
  bool bulk = false;                       // of a job that nobody waits for: others come first
  std::map<std::string, std::string> metadata{};  // the client's own, given back with the job
  std::string idempotency_key{};
  std::string fingerprint{};  // a digest of what the client sent under that key
  // The time for an address to send its file; unset: the setting's.
  std::optional<std::chrono::seconds> fetch_limit{};
  Trace trace{};  // the request that it came by
  Follow follow = Follow::nobody;
  // For Follow::for_a_while, see FollowedJob.
  std::function<bool()> is_let_go = [] { return false; };
};

// Makes jobs from the requests of clients: it checks, brings the sound in, submits, and returns the
// job to follow. REST and MCP only translate. Only its owner finds a job. All calls are on the
// executor's thread.
class Submission {
 public:
  struct Settings {
    double max_audio_seconds = 36'000;
    int max_beams = 10;                    // of clients that may not manage
    std::chrono::seconds fetch_limit{45};  // the time that an address has to send its file
    // The time in which the clips of all known speakers of a request are read and decoded.
    std::chrono::milliseconds clips_limit{60'000};
    // The most requests of one owner whose clips are read or wait for it.
    int max_clip_requests_of_one = 128;
    // Checks whether an address may be told of a job's end. The error is url_refused.
    std::function<Result<void>(const std::string&)> check_webhook = [](const std::string&) {
      return Result<void>();
    };
  };

  Submission(const Services& services, Settings settings);

  // Checks whether an address may be told of a job's end; none may always. The error is
  // url_refused.
  Result<void> check_webhook(const std::string& url) const;

  // Returns what of the options is more than the request's client may have.
  std::optional<BeamProblem> beam_problem(const SubmissionRequest& request) const;

  // Called before a recording is received, so that nobody sends it in vain: checks that one more
  // job would be taken and the disk has room. Errors: those of JobQueue::check() and DiskRoom.
  asio::awaitable<Result<void>> admit(std::string owner, std::string idempotency_key,
                                      std::uint64_t bytes);

  // Errors: usage for too many beams, model_not_installed, those of the model store, of the
  // webhook, of JobQueue::submit(), and of the path, the address, the upload or the disk;
  // url_refused if addresses are not allowed; timed_out; bad_speaker_name and unusable_clip;
  // too_many_requests and queue_full, where too many clips wait to be decoded.
  asio::awaitable<Result<FollowedJob>> submit(SubmissionRequest request);

  // Sets the limits for requests that come from now on.
  void set_limits(const Settings& limits) {
    settings_.max_audio_seconds = limits.max_audio_seconds;
    settings_.max_beams = limits.max_beams;
  }

  // Follows an earlier job, for another reader.
  FollowedJob follow(std::string id, std::string owner) const;
  // Here and in the next two no owner stands for all of them, which is for those who may manage the
  // server. The error is job_not_found, also for another owner's job.
  asio::awaitable<Result<Job>> find(std::string id, std::optional<std::string> owner) const;
  // Returns false if the job had ended before.
  asio::awaitable<Result<bool>> cancel(std::string id, std::optional<std::string> owner) const;
  // Removes the job, with its text.
  asio::awaitable<Result<void>> remove(std::string id, std::optional<std::string> owner) const;

 private:
  // Moves the speakers that are known into the request's options.
  asio::awaitable<Result<void>> read_speakers(SubmissionRequest& request) const;
  // `waits` says meanwhile whether a clip waits for its turn.
  asio::awaitable<Result<void>> read_clips(SubmissionRequest& request, bool& waits) const;

  const Services& services_;
  Settings settings_;
  std::shared_ptr<CallPlaces> clip_places_;  // of clips that are decoded before there is a job
};

}  // namespace server
