#include "server/jobs/job_runner.h"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "server/jobs/resume.h"
#include "server/process/race.h"

namespace server {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

// How often progress alone goes to the disk.
constexpr milliseconds progress_interval{500};
constexpr milliseconds pause_after_store_error{1'000};
constexpr int max_decided = 1'000'000;  // segments that are read of a job that goes on

bool is_about_the_worker(const Error& error) {
  constexpr std::array codes{errc::worker_died, errc::worker_hung, errc::device_unavailable};
  return std::ranges::find(codes, error.code) != codes.end();
}

// The client that waited is told why; its job has not failed, and nobody would read it later.
Error ended_by_stop() {
  return {errc::draining, "scribed was ended before this was transcribed",
          "Send it again when scribed runs again."};
}

}  // namespace

// One job while it runs: what was decided and is not on the disk yet.
class JobRunner::Run final : public TranscriptionEvents {
 public:
  enum class Stop { none, cancelled, drained };

  Run(JobRunner& runner, const Job& job)
      : runner_(runner),
        job_(job),
        news_(runner.executor_),
        place_(runner.runs_.insert(runner.runs_.end(), this)) {}
  Run(const Run&) = delete;
  ~Run() override { runner_.runs_.erase(place_); }

  asio::cancellation_signal& signal() { return signal_; }
  Stop stopped() const { return stopped_; }
  const protocol::Transcript& transcript() const { return transcript_; }
  protocol::Transcript& transcript() { return transcript_; }

  void stop(Stop why) {
    if (stopped_ != Stop::none) return;
    stopped_ = why;
    signal_.emit(asio::cancellation_type::terminal);
  }

  void on_loaded(const protocol::worker::Loaded&) override {}
  void on_language(const protocol::worker::LanguageDetected& language) override {
    language_ = language.language;
  }
  void on_progress(const protocol::worker::Progress& progress) override {
    position_ = progress.position_s;
    duration_ = progress.duration_s;
    has_progress_ = true;
    news_.cancel();
  }
  void on_segment(const protocol::Segment& segment) override {
    decided_.push_back(segment);
    decided_.back().id += job_.segments;
    news_.cancel();
  }

  // Writes what comes, until it is cancelled.
  asio::awaitable<Elapsed> write() {
    while (true) {
      if (decided_.empty() && !has_progress_) {
        news_.expires_at(steady_clock::time_point::max());
        boost::system::error_code woken;
        auto wait = asio::redirect_error(asio::use_awaitable, woken);
        co_await news_.async_wait(std::move(wait));
      }
      co_await write_now();
      if (decided_.empty()) co_await sleep_for(progress_interval);
    }
  }

  asio::awaitable<void> write_now() {
    if (!decided_.empty()) {
      auto some = std::exchange(decided_, {});
      co_await runner_.queue_.add_segments(job_.id, std::move(some));
    }
    if (std::exchange(has_progress_, false)) {
      co_await runner_.queue_.set_progress(job_.id, position_, duration_, language_);
    }
  }

 private:
  JobRunner& runner_;
  const Job& job_;
  asio::steady_timer news_;  // cancelled when there is something to write
  std::list<Run*>::iterator place_;
  asio::cancellation_signal signal_{};
  Stop stopped_ = Stop::none;
  protocol::Transcript transcript_{};
  std::vector<protocol::Segment> decided_{};
  std::string language_ = job_.language;
  double position_ = 0;
  double duration_ = 0;
  bool has_progress_ = false;
};

JobRunner::JobRunner(asio::any_io_executor executor, JobQueue& queue, ModelPool& models,
                     Settings settings)
    : executor_(executor),
      queue_(queue),
      models_(models),
      settings_(std::move(settings)),
      ended_(executor) {}

JobRunner::~JobRunner() = default;

void JobRunner::start() {
  for (int i = 0; i < settings_.parallel; ++i) {
    ++runners_;
    asio::co_spawn(executor_, work(), [this](std::exception_ptr failure) {
      --runners_;
      ended_.cancel();
      if (failure) std::rethrow_exception(failure);
    });
  }
}

asio::awaitable<void> JobRunner::stop(milliseconds grace) {
  const auto deadline = steady_clock::now() + grace;
  bool in_time = true;
  while (runners_ > 0) {
    ended_.expires_at(in_time ? deadline : steady_clock::time_point::max());
    boost::system::error_code one_ended;
    auto wait = asio::redirect_error(asio::use_awaitable, one_ended);
    co_await ended_.async_wait(std::move(wait));
    if (!in_time || steady_clock::now() < deadline) continue;
    in_time = false;
    // A copy, because a run may end while it is told.
    const auto runs = runs_;
    for (Run* run : runs) run->stop(Run::Stop::drained);
  }
}

asio::awaitable<void> JobRunner::work() {
  while (!queue_.is_draining()) {
    auto job = co_await queue_.take();
    if (job) {
      co_await run(*std::move(job));
    } else if (job.error().code != errc::draining) {
      co_await sleep_for(pause_after_store_error);  // a disk that is full may have room again
    }
  }
}

asio::awaitable<void> JobRunner::run(Job job) {
  Run run(*this, job);
  queue_.on_cancel(job.id, [&run] { run.stop(Run::Stop::cancelled); });
  auto input = settings_.open_input(job.request);
  Result<void> result;
  if (!input) {
    result = input.error();
  } else {
    auto decided = co_await queue_.segments(job.id, 0, max_decided);
    TranscriptionRequest request{.job = job.id,
                                 .input = std::move(input->fd),
                                 .input_may_pause = input->may_pause,
                                 .decoder = job.request.decoder};
    if (decided) request.options = resumed(job.request.options, *decided, job.language);
    std::optional<KeepAlive> keep_alive;
    if (job.request.keep_alive_s) {
      keep_alive = milliseconds(static_cast<long long>(*job.request.keep_alive_s * 1000));
    }
    const auto transcribe_and_write = [&]() -> asio::awaitable<Result<void>> {
      auto transcribing = models_.transcribe(job.request.model, std::move(request),
                                             run.transcript(), run, keep_alive);
      auto winner = co_await race(std::move(transcribing), run.write());
      co_return std::get<0>(std::move(winner));
    };
    auto token =
        asio::bind_cancellation_slot(run.signal().slot(), asio::as_tuple(asio::use_awaitable));
    auto [failure, ended] =
        co_await asio::co_spawn(executor_, transcribe_and_write, std::move(token));
    result = std::move(ended);
    if (failure && run.stopped() == Run::Stop::none) {
      result = Error{errc::internal, "the transcription ended by an exception", ""};
    }
  }
  co_await run.write_now();
  co_await settle(job, run, result);
}

// One that was cancelled has its end already.
asio::awaitable<void> JobRunner::settle(const Job& job, const Run& run,
                                        const Result<void>& result) {
  if (run.stopped() == Run::Stop::cancelled) co_return;
  JobEnd end{.summary = run.transcript()};
  if (run.stopped() == Run::Stop::drained) {
    const auto now = co_await queue_.find(job.id, job.request.owner);
    const bool is_detached = now && *now && (*now)->request.detached;
    if (is_detached) {
      co_await queue_.requeue(job.id, false);
      co_return;
    }
    end.state = JobState::cancelled;
    end.error = ended_by_stop();
  } else if (!result) {
    const bool got_further = !run.transcript().segments.empty();
    const bool again = is_about_the_worker(result.error()) &&
                       (got_further || job.fruitless < settings_.max_attempts);
    if (again) {
      co_await queue_.requeue(job.id, true);
      co_return;
    }
    end.state = JobState::failed;
    end.error = result.error();
  }
  co_await queue_.finish(job.id, std::move(end));
}

}  // namespace server
