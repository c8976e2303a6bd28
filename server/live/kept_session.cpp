#include "server/live/kept_session.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "server/base/race.h"
#include "server/submission/services.h"

namespace server {
namespace {

using std::chrono::steady_clock;

// How far a session is goes to the disk with its segments, and in silence after so much sound.
constexpr double progress_step_s = 5;

Error stopped_by_request() {
  return {"cancelled", "The recording was stopped or deleted.", ""};
}

std::vector<std::int16_t> samples_of(std::span<const float> pcm) {
  std::vector<std::int16_t> samples;
  samples.reserve(pcm.size());
  for (const float value : pcm) {
    samples.push_back(static_cast<std::int16_t>(std::lround(std::clamp(value, -1.F, 1.F) * 32767)));
  }
  return samples;
}

}  // namespace

KeptSession::KeptSession(asio::any_io_executor executor, Services& services, JobRequest request,
                         KeptText::Settings text, OnNews on_news)
    : executor_(executor),
      services_(services),
      request_(std::move(request)),
      text_(text),
      from_s_(text.from_s),
      on_news_(std::move(on_news)),
      news_(executor, steady_clock::time_point::max()) {}

asio::awaitable<void> KeptSession::run(std::shared_ptr<KeptSession> self) {
  auto submitting = self->services_.jobs.submit(self->request_);
  auto job = co_await std::move(submitting);
  if (!job) {
    self->has_begun_ = self->has_ended_ = true;
    self->news_.cancel();
    self->on_news_(job.error());
    co_return;
  }
  self->begin(*std::move(job));
  auto writing = self->run_->write();
  auto waiting = self->wait_for_end();
  co_await race(std::move(writing), std::move(waiting));
  co_await self->run_->write_rest();
  co_await self->settle();
}

// The store's errors are told by its other users, too; what it does not take is written again.
void KeptSession::begin(Job job) {
  JobQueue& jobs = services_.jobs;
  job_ = std::move(job);
  run_.emplace(executor_, jobs, *job_, [](const Error&) {});
  run_->signal().slot().assign([this](asio::cancellation_type) {
    has_ended_ = true;
    news_.cancel();
    on_news_(stopped_by_request());
  });
  const bool is_wanted =
      jobs.on_cancel(run_->claim(), [this] { run_->stop(JobRun::Stop::cancelled); });
  has_ended_ = !is_wanted;
  has_begun_ = true;
  news_.cancel();
  for (const auto& event : std::exchange(early_, {})) run_->take(event);
  if (!is_wanted) return;
  on_news_(job_->id);
  if (!services_.keeps_audio) return;
  auto sound = services_.sounds.begin(job_->id, job_->request.owner);
  if (!sound) return give_up(sound.error());
  sound_.emplace(*std::move(sound));
}

// What was kept so far stays, and the job is done with it.
void KeptSession::give_up(const Error& why) {
  summary_.warnings.push_back("The recording ends here: " + why.message);
  finish();
  on_news_(why);
}

// Waits until news_ is cancelled. A cancelled call is noticed at the caller's next await.
asio::awaitable<void> KeptSession::wait() {
  boost::system::error_code woken;
  auto waiting = asio::redirect_error(asio::use_awaitable, woken);
  co_await news_.async_wait(std::move(waiting));
}

asio::awaitable<void> KeptSession::begun() {
  const auto self = shared_from_this();
  while (!has_begun_) co_await wait();
}

asio::awaitable<Elapsed> KeptSession::wait_for_end() {
  while (!is_over()) co_await wait();
  co_return Elapsed{};
}

void KeptSession::hear(std::span<const float> pcm) {
  if (is_over() || !has_begun_) return;
  sound_s_ += static_cast<double>(pcm.size()) / sound_rate_hz;
  if (!sound_) return;
  const auto written = sound_->write(samples_of(pcm));
  if (!written) give_up(written.error());
}

void KeptSession::take(const protocol::TranscriptEvent& event) {
  if (is_over()) return;
  add(text_.take(event));
  if (const auto* loaded = std::get_if<protocol::ModelLoaded>(&event)) {
    summary_.device = loaded->device;
    summary_.compute_type = loaded->compute_type;
    pass(*loaded);
  } else if (const auto* look = std::get_if<protocol::LiveText>(&event)) {
    note_heard(look->heard_s);
  } else if (const auto* progress = std::get_if<protocol::Progress>(&event)) {
    note_heard(progress->position_s);
  } else if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) {
    note_turn(*turn);
  }
}

void KeptSession::note_turn(const protocol::TurnEnded& turn) {
  if (summary_.language.empty() && !turn.language.empty()) {
    summary_.language = turn.language;
    pass(protocol::LanguageDetected{turn.language, 0});
  }
  if (turn.speaker.empty() || turn.start_s < from_s_) return;
  summary_.turns.push_back({turn.start_s - from_s_, turn.end_s - from_s_, turn.speaker, {}});
}

void KeptSession::note_heard(double heard_s) {
  heard_s_ = std::max(heard_s_, heard_s - from_s_);
  if (heard_s_ < told_s_ + progress_step_s) return;
  told_s_ = heard_s_;
  pass(protocol::Progress{.position_s = heard_s_, .duration_s = std::max(heard_s_, sound_s_)});
}

void KeptSession::add(std::vector<protocol::Segment> segments) {
  for (auto& segment : segments) {
    segment.id = segments_++;
    pass(std::move(segment));
  }
}

void KeptSession::pass(protocol::TranscriptEvent event) {
  if (run_) return run_->take(event);
  early_.push_back(std::move(event));
}

void KeptSession::break_turn() {
  if (!is_over()) add(text_.rest());
}

void KeptSession::finish() {
  if (is_over()) return;
  break_turn();
  is_finished_ = true;
  news_.cancel();
}

// A session without sound is of use to nobody. Where the store fails at the very end, the next
// start of scribed ends the job.
asio::awaitable<void> KeptSession::settle() {
  if (sound_) sound_->finish();
  if (run_->stopped() != JobRun::Stop::none) co_return;
  JobQueue& jobs = services_.jobs;
  jobs.on_cancel(run_->claim(), [] {});  // whoever ends the job is told, too
  if (sound_s_ == 0) {
    const auto removed = co_await jobs.remove(job_->id);
    co_return;
  }
  JobEnd end{.summary = summary_};
  end.summary.duration = sound_s_;
  while (true) {
    const auto finished = co_await jobs.finish(run_->claim(), end);
    const bool has_end = finished || finished.error().code == errc::claim_lost;
    if (has_end || jobs.is_draining()) co_return;
    co_await sleep_for(pause_after_store_error);
  }
}

}  // namespace server
