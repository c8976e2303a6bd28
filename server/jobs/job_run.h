#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcript_event.h"
#include "server/base/race.h"
#include "server/jobs/job_queue.h"
#include "server/transcription/progress_meter.h"

namespace server {

// The time to wait before the store is tried again after a failure.
inline constexpr std::chrono::milliseconds pause_after_store_error{1'000};

// One job while a runner has it: writes what is decided into the store, and knows why it is to
// stop.
class JobRun {
 public:
  // A job that was cancelled is no longer this run's: it has its end, or another run has it. One
  // that is put back waits again; if scribed ends, its client is told. One that gives way lets
  // another model have its place, and waits again.
  enum class Stop { none, cancelled, put_back, gives_way };

  // Called when the store fails. Writing is repeated, since a full disk may have room again.
  using OnStoreError = std::function<void(const Error&)>;

  JobRun(asio::any_io_executor executor, JobQueue& queue, const Job& job,
         OnStoreError on_store_error);
  JobRun(const JobRun&) = delete;
  ~JobRun();

  // What the run writes by.
  const Claim& claim() const { return claim_; }

  // The signal that stop() emits; it ends the transcription.
  asio::cancellation_signal& signal() { return signal_; }
  void stop(Stop why);
  Stop stopped() const { return stopped_; }

  protocol::Transcript& transcript() { return transcript_; }
  // Returns one speaker's turns at a time, once the speakers are told apart.
  const std::vector<protocol::SpeakerTurn>& exclusive_turns() const { return exclusive_turns_; }
  bool has_reached_worker() const { return has_reached_worker_; }
  // Returns whether a segment was decided in this run.
  bool has_progressed() const { return has_progressed_; }
  // Returns whether the run may give way to others: it has got further, by text or over silence,
  // and little of the time since it had listened went into what would have to be done again. The
  // listening does not count, which takes minutes of a long recording: it is done again.
  bool may_give_way(std::chrono::steady_clock::time_point now) const;
  // Returns whether segments are decided that are not on the disk.
  bool has_unwritten_text() const { return !decided_.empty(); }
  // The function is called when has_progressed() becomes true.
  void on_progress(std::function<void()> callback) { on_progress_ = std::move(callback); }

  // The run enters a phase in which it waits for something before it can begin.
  void enter(TranscriptionPhase phase);

  // Takes an event of the transcription.
  void take(const protocol::TranscriptEvent& event);

  // Writes what comes, until the coroutine is cancelled.
  asio::awaitable<Elapsed> write();
  // Writes what has come. It returns early only if the run is stopped, or if scribed ends while the
  // store fails: the rest is transcribed again after the next start.
  asio::awaitable<void> write_rest();

 private:
  void take_one(const protocol::ModelLoading&) { enter(TranscriptionPhase::loading_model); }
  void take_one(const protocol::ModelLoaded&);
  void take_one(const protocol::LikeliestLanguages&) {}  // the transcript has them
  void take_one(const protocol::SpeakersFound& found) { exclusive_turns_ = found.exclusive; }
  void take_one(const protocol::LanguageDetected& detected);
  void take_one(const protocol::Progress& progress);
  void take_one(const protocol::Segment& segment);
  // Facts about the file, and text that may still change, are not stored.
  void take_one(const protocol::decoder::Format&) {}
  void take_one(const protocol::LiveText&) {}
  // A job is one recording, whose text comes in segments: turns are told by live sessions alone.
  void take_one(const protocol::SpeechStarted&) {}
  void take_one(const protocol::SpeechStopped&) {}
  void take_one(const protocol::LiveWords&) {}
  void take_one(const protocol::TurnEnded&) {}

  bool has_progress() const { return progress_ != written_progress_; }
  void note_progress();
  void note_further();
  asio::awaitable<bool> write_once();
  // The store did not take what was written.
  void note_failure(const Error& error);

  JobQueue& queue_;
  const std::weak_ptr<const void> queue_life_;
  const Job& job_;
  const Claim claim_;
  OnStoreError on_store_error_;
  asio::steady_timer news_;  // cancelled when there is something to write
  asio::cancellation_signal signal_{};
  Stop stopped_ = Stop::none;
  protocol::Transcript transcript_{};
  std::vector<protocol::Segment> decided_{};  // segments that are not on the disk yet
  std::vector<protocol::SpeakerTurn> exclusive_turns_{};
  std::function<void()> on_progress_ = [] {};
  std::string language_;
  ProgressMeter meter_;
  std::uint64_t progress_ = 0;          // how often there was some,
  std::uint64_t written_progress_ = 0;  // and until which time it is on the disk
  bool has_reached_worker_ = false;
  bool has_progressed_ = false;
  std::optional<double> begun_at_{};  // the position from which the run decides
  // When it began to decide, behind the listening; nothing: it listens, or decides as it listens.
  std::optional<std::chrono::steady_clock::time_point> listened_{};
  std::chrono::steady_clock::time_point reached_worker_{};
  std::optional<std::chrono::steady_clock::time_point> further_{};  // when it first got further
};

}  // namespace server
