#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "server/submission/followed_job.h"
#include "server/submission/services.h"
#include "server/submission/source.h"

namespace server {

// A transcription that a client asks for, whatever way in it came.
struct SubmissionRequest {
  SoundSource source{};
  std::string owner{};      // who asks
  bool may_manage = false;  // has the right to say how long a model stays loaded
  std::string model{};      // as the client names it; empty: the default one
  protocol::TranscribeOptions options{};
  bool split_channels = false;                // the first two channels, each by itself
  std::vector<std::string> channel_labels{};  // none, or two
  std::optional<double> keep_alive_s{};       // of the model afterwards; negative: for ever
  std::string webhook{};                      // the address that is told of the end; empty: none
  std::string idempotency_key{};
  std::string fingerprint{};  // of what the client sent under that key
  Follow follow = Follow::nobody;
  // Of Follow::for_a_while, see FollowedJob.
  std::function<bool()> is_let_go = [] { return false; };
};

// The one way from what clients ask to jobs: it checks, brings the sound in, submits, and gives the
// job to follow. REST and MCP only translate. Jobs are found by their owners alone. On the thread
// of the executor.
class Submission {
 public:
  struct Settings {
    double max_audio_seconds = 36'000;
    std::chrono::seconds fetch_limit{45};  // for an address to send its file
    // Whether an address may be told of a job's end. The error is url_refused.
    std::function<Result<void>(const std::string&)> check_webhook = [](const std::string&) {
      return Result<void>();
    };
  };

  Submission(const Services& services, Settings settings)
      : services_(services), settings_(std::move(settings)) {}

  // Asked before the bytes of a recording are, so that nobody sends for nothing: whether one more
  // job would be taken, and the disk has room. Errors: those of JobQueue::check() and DiskRoom.
  asio::awaitable<Result<void>> admit(std::string owner, std::string idempotency_key,
                                      std::uint64_t bytes);

  // Errors: those of the model store, of the webhook, of JobQueue::submit(), and of the path, the
  // address, the upload or the disk; url_refused where addresses are not allowed; timed_out.
  asio::awaitable<Result<FollowedJob>> submit(SubmissionRequest request);

  // An earlier job, for whoever reads it now.
  FollowedJob follow(std::string id, std::string owner) const;
  // The error is job_not_found, also of another owner's job.
  asio::awaitable<Result<Job>> find(std::string id, std::string owner) const;
  // False: it had ended before.
  asio::awaitable<Result<bool>> cancel(std::string id, std::string owner) const;
  // Forgets it, with its text.
  asio::awaitable<Result<void>> remove(std::string id, std::string owner) const;

 private:
  const Services& services_;
  Settings settings_;
};

}  // namespace server
