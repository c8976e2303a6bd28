#include "server/jobs/job_run.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "protocol/worker_contract.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Progress without new segments goes to the disk once in this time.
constexpr milliseconds progress_interval{500};

// A run gives way when it has decided for so many times as long as it took to get further.
constexpr int worth_of_a_run = 3;

}  // namespace

JobRun::JobRun(asio::any_io_executor executor, JobQueue& queue, const Job& job,
               OnStoreError on_store_error)
    : queue_(queue),
      queue_life_(queue.life()),
      job_(job),
      claim_(claim_of(job)),
      on_store_error_(std::move(on_store_error)),
      news_(executor),
      language_(job.language),
      meter_(job.request.options.clip_timestamps, job.position, job.duration) {}

JobRun::~JobRun() {
  if (!queue_life_.expired()) queue_.leave(claim_);
}

void JobRun::stop(Stop why) {
  if (stopped_ != Stop::none) return;
  stopped_ = why;
  signal_.emit(asio::cancellation_type::terminal);
}

void JobRun::note_progress() {
  ++progress_;
  news_.cancel();
}

void JobRun::note_further() {
  if (!further_) further_ = steady_clock::now();
}

void JobRun::enter(TranscriptionPhase phase) {
  if (meter_.figures().phase >= phase) return;
  meter_.enter(phase);
  note_progress();
}

void JobRun::take(const protocol::TranscriptEvent& event) {
  std::visit([this](const auto& alternative) { take_one(alternative); }, event);
}

void JobRun::take_one(const protocol::ModelLoaded&) {
  if (!std::exchange(has_reached_worker_, true)) reached_worker_ = steady_clock::now();
  enter(TranscriptionPhase::listening);
}

void JobRun::take_one(const protocol::LanguageDetected& detected) {
  language_ = detected.language;
  note_progress();
}

// A job of two channels may decide its last 30 s again (resume.h).
void JobRun::take_one(const protocol::Progress& progress) {
  meter_.take(progress, steady_clock::now());
  note_progress();
  if (progress.phase != protocol::ProgressPhase::transcribing) return;
  const double again = job_.request.split_channels ? protocol::worker::window_s : 0;
  if (!listened_) listened_ = steady_clock::now();
  if (!begun_at_) begun_at_ = progress.position_s;
  if (progress.position_s > *begun_at_ + again) note_further();
}

void JobRun::take_one(const protocol::Segment& segment) {
  decided_.push_back(segment);
  decided_.back().id += job_.segments;
  news_.cancel();
  if (segment.end <= segment.start) return;
  note_further();
  if (!std::exchange(has_progressed_, true)) on_progress_();
}

bool JobRun::may_give_way(steady_clock::time_point now) const {
  if (!further_ || stopped_ != Stop::none) return false;
  const auto began = listened_.value_or(reached_worker_);
  return now - began >= worth_of_a_run * (*further_ - began);
}

asio::awaitable<Elapsed> JobRun::write() {
  auto last_progress = steady_clock::now() - progress_interval;
  while (true) {
    const auto next =
        has_progress() ? last_progress + progress_interval : steady_clock::time_point::max();
    if (decided_.empty() && steady_clock::now() < next) {
      news_.expires_at(next);
      boost::system::error_code woken;
      auto wait = asio::redirect_error(asio::use_awaitable, woken);
      co_await news_.async_wait(std::move(wait));
      continue;
    }
    const bool written = co_await write_once();
    last_progress = steady_clock::now();
    if (!written) co_await sleep_for(pause_after_store_error);
  }
}

asio::awaitable<void> JobRun::write_rest() {
  while (!decided_.empty() || has_progress()) {
    const bool written = co_await write_once();
    if (written) continue;
    if (queue_.is_draining() || stopped_ != Stop::none) co_return;
    co_await sleep_for(pause_after_store_error);
  }
}

// Items that could not be written stay, and are written with those that come next.
asio::awaitable<bool> JobRun::write_once() {
  const auto some = decided_;
  if (!some.empty()) {
    const auto added = co_await queue_.add_segments(claim_, some);
    if (!added) {
      note_failure(added.error());
      co_return false;
    }
    decided_.erase(decided_.begin(), decided_.begin() + static_cast<std::ptrdiff_t>(some.size()));
  }
  // The figures may count segments that came meanwhile, which are written first.
  if (!decided_.empty()) co_return true;
  if (!has_progress()) co_return true;
  const auto now = progress_;
  const auto set = co_await queue_.set_progress(claim_, meter_.figures(), language_);
  if (!set) {
    note_failure(set.error());
    co_return false;
  }
  written_progress_ = now;
  co_return true;
}

void JobRun::note_failure(const Error& error) {
  if (error.code == errc::claim_lost) return stop(Stop::cancelled);
  on_store_error_(error);
}

}  // namespace server
