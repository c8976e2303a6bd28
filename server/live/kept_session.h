#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/transcript_event.h"
#include "server/base/error.h"
#include "server/inputs/sound_store.h"
#include "server/jobs/job_run.h"
#include "server/live/kept_text.h"

namespace server {

namespace asio = boost::asio;

struct Services;

// A live session that is kept as a job: its segments are stored as they are decided, and its sound
// as it comes, so that a crash loses no more than the turn at hand. It goes on until finish(),
// whatever becomes of the client's connection. It is used on the executor's thread.
class KeptSession : public std::enable_shared_from_this<KeptSession> {
 public:
  // Called with the job's id when it is on the disk; or with the reason why there is none, or why
  // nothing more is kept of it.
  using OnNews = std::function<void(const Result<std::string>& job)>;

  // `services` must outlive run().
  KeptSession(asio::any_io_executor executor, Services& services, JobRequest request,
              KeptText::Settings text, OnNews on_news);
  KeptSession(const KeptSession&) = delete;

  // Makes the job, writes it, and ends it. To be called once.
  static asio::awaitable<void> run(std::shared_ptr<KeptSession> self);
  // Waits until the job is there, or is not to be. What is heard before is not kept, so the
  // client's sound is not read meanwhile. One caller at a time.
  asio::awaitable<void> begun();

  // Gives sound, 16 kHz, mono; and the session's events, with the times of its client.
  void hear(std::span<const float> pcm);
  void take(const protocol::TranscriptEvent& event);
  // The turn at hand has no end, because its session has failed.
  void break_turn();
  // All was told: the job ends.
  void finish();

 private:
  bool is_over() const { return is_finished_ || has_ended_; }
  void begin(Job job);
  void give_up(const Error& why);
  // Hands an event to the job's writer.
  void pass(protocol::TranscriptEvent event);
  void add(std::vector<protocol::Segment> segments);
  void note_heard(double heard_s);
  void note_turn(const protocol::TurnEnded& turn);
  asio::awaitable<void> wait();
  asio::awaitable<Elapsed> wait_for_end();
  asio::awaitable<void> settle();

  asio::any_io_executor executor_;
  Services& services_;
  JobRequest request_;
  KeptText text_;
  const double from_s_;
  OnNews on_news_;
  std::optional<Job> job_{};
  std::optional<JobRun> run_{};
  std::optional<SoundWriter> sound_{};
  std::vector<protocol::TranscriptEvent> early_{};  // for the run, until it is there
  protocol::Transcript summary_{};
  int segments_ = 0;
  double sound_s_ = 0;      // that is kept,
  double heard_s_ = 0;      // of which so much was heard,
  double told_s_ = 0;       // and so much is in the job's progress
  bool has_begun_ = false;  // the job is there, or is not to be
  bool is_finished_ = false;
  bool has_ended_ = false;   // nothing more is kept
  asio::steady_timer news_;  // cancelled when one of these three changes
};

}  // namespace server
