#include "server/jobs/job_runner.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "server/base/race.h"
#include "server/jobs/job_sound.h"
#include "server/jobs/resume.h"

namespace server {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr milliseconds tick{100};
constexpr milliseconds look_for_sound_left{500};
constexpr int most_looks = 20;
constexpr int max_decided = 1'000'000;          // segments that are read of a job that goes on
constexpr std::size_t most_ended_early = 1000;  // jobs: one that is cancelled as it waits is left

Error failed_itself(const std::exception_ptr& failure) {
  std::string what = "for an unknown reason";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& thrown) {
    what = thrown.what();
  } catch (...) {
  }
  return {errc::internal, "scribed failed in this transcription: " + what,
          "This is a mistake in scribed itself; please report it."};
}

}  // namespace

class JobRunner::Listed {
 public:
  Listed(std::list<JobRun*>& runs, JobRun& run)
      : runs_(runs), place_(runs.insert(runs.end(), &run)) {}
  Listed(const Listed&) = delete;
  ~Listed() { runs_.erase(place_); }

 private:
  std::list<JobRun*>& runs_;
  std::list<JobRun*>::iterator place_;
};

JobRunner::JobRunner(asio::any_io_executor executor, JobQueue& queue, ModelPool& models,
                     Settings settings)
    : executor_(std::move(executor)),
      queue_(queue),
      models_(models),
      settings_(std::move(settings)) {}

JobRunner::~JobRunner() = default;

void JobRunner::start() {
  queue_.prefer_models([this] { return loaded_models(); });
  for (int i = 0; i < settings_.parallel; ++i) spawn(false, false);
  for (int i = 0; i < settings_.waited; ++i) spawn(true, false);
  has_started_ = true;
  spawn_spares();
}

// Those of owners who are no more stay, and have nothing to do.
void JobRunner::set_owners(std::size_t owners) {
  if (owners < 2) return;
  wanted_spares_ = std::max(wanted_spares_, std::min(owners, most_spares));
  if (has_started_) spawn_spares();
}

void JobRunner::spawn_spares() {
  for (; spares_ < wanted_spares_; ++spares_) {
    spawn(false, true);
    spawn(true, true);
  }
}

std::vector<std::string> JobRunner::loaded_models() const {
  std::vector<std::string> names;
  for (const auto& model : models_.loaded()) names.push_back(model.name);
  return names;
}

void JobRunner::spawn(bool waited_for, bool is_spare) {
  ++runners_;
  asio::co_spawn(executor_, work(waited_for, is_spare), [this](std::exception_ptr failure) {
    --runners_;
    if (failure) std::rethrow_exception(failure);
  });
}

asio::awaitable<void> JobRunner::stop(milliseconds grace) {
  const auto deadline = steady_clock::now() + grace;
  while (runners_ > 0) {
    if (!puts_back_ && steady_clock::now() >= deadline) {
      puts_back_ = true;
      for (JobRun* run : runs_) run->stop(JobRun::Stop::put_back);
    }
    co_await sleep_for(tick);
  }
}

asio::awaitable<void> JobRunner::work(bool waited_for, bool is_spare) {
  while (!queue_.is_draining()) {
    auto job = co_await queue_.claim(waited_for, is_spare);
    if (job) {
      co_await run(*std::move(job));
    } else if (job.error().code != errc::draining) {
      settings_.on_store_error(job.error());
      co_await pause(pause_after_store_error);
    }
  }
}

// Waits for that time, or until scribed is about to end.
asio::awaitable<void> JobRunner::pause(milliseconds time) {
  const auto until = steady_clock::now() + time;
  while (steady_clock::now() < until && !queue_.is_draining()) co_await sleep_for(tick);
}

// Repeats the attempt until the store takes it, or the job is no longer this run's. Returns false
// if scribed ends before; the next start then goes on with what the store has.
asio::awaitable<bool> JobRunner::insist(const Attempt& attempt) {
  while (true) {
    const auto done = co_await attempt();
    if (done || done.error().code == errc::claim_lost) co_return true;
    settings_.on_store_error(done.error());
    if (queue_.is_draining()) co_return false;
    co_await pause(pause_after_store_error);
  }
}

asio::awaitable<void> JobRunner::run(Job job) {
  JobRun run(executor_, queue_, job, settings_.on_store_error);
  const bool is_wanted =
      queue_.on_cancel(run.claim(), [&run] { run.stop(JobRun::Stop::cancelled); });
  if (!is_wanted) co_return;
  const Listed listed(runs_, run);
  if (puts_back_) run.stop(JobRun::Stop::put_back);
  auto result = co_await fetched_model(job, run);
  co_await exclusive_turn(job, run);
  if (result) result = co_await transcribe(job, run);
  end_exclusive_turn(run);
  co_await run.write_rest();
  // A job without its last text has not ended: the next start decides that again.
  if (run.has_unwritten_text()) run.stop(JobRun::Stop::put_back);
  if (run.stopped() != JobRun::Stop::gives_way) ended_early_.erase(job.number);
  co_await settle(job, run, std::move(result));
}

// Waits while the models that the job needs are being fetched; whoever watches the job is told why
// it waits.
asio::awaitable<Result<void>> JobRunner::fetched_model(const Job& job, JobRun& run) {
  if (!settings_.is_fetching(job.request)) co_return Result<void>{};
  run.enter(TranscriptionPhase::fetching_model);
  co_await run.write_rest();
  while (settings_.is_fetching(job.request) && run.stopped() == JobRun::Stop::none) {
    co_await sleep_for(tick);
  }
  co_return settings_.check_fetched(job.request);
}

// A job that was begun before and got no further may be what kills workers. Only one such job runs
// at a time, until it gets further, so that jobs which merely shared a dying worker are told apart
// from it.
asio::awaitable<void> JobRunner::exclusive_turn(const Job& job, JobRun& run) {
  if (job.attempts_without_progress <= 1) co_return;
  while (exclusive_run_ != nullptr && run.stopped() == JobRun::Stop::none) {
    co_await sleep_for(tick);
  }
  if (exclusive_run_ != nullptr) co_return;
  exclusive_run_ = &run;
  run.on_progress([this, &run] { end_exclusive_turn(run); });
}

void JobRunner::end_exclusive_turn(const JobRun& run) {
  if (exclusive_run_ == &run) exclusive_run_ = nullptr;
}

// A job that is stopped meanwhile no longer waits for its recording.
asio::awaitable<Result<Input>> JobRunner::open_input(const Job& job, JobRun& run) {
  std::optional<Result<Input>> input;
  const auto open = [&]() -> asio::awaitable<void> {
    auto opening = settings_.open_input(job.request);
    auto opened = co_await std::move(opening);
    input.emplace(std::move(opened));
  };
  auto token =
      asio::bind_cancellation_slot(run.signal().slot(), asio::as_tuple(asio::use_awaitable));
  auto [failure] = co_await asio::co_spawn(executor_, open, std::move(token));
  if (input) co_return *std::move(input);
  if (failure && run.stopped() == JobRun::Stop::none) co_return failed_itself(failure);
  co_return Error{errc::cancelled, "the transcription was stopped", ""};
}

// Jobs that begin together would each find the sound of the day unused. So where an owner has a
// limit, each begins when it is known how much those before it take; not for long, since those that
// wait keep others from their places. A job that was begun before a restart is finished, whatever
// its owner has used since: it has a length, or text. The error is too_much_sound.
asio::awaitable<Result<void>> JobRunner::wait_for_sound_left(const Job& job, JobRun& run) {
  const bool was_begun = job.attempts > 1 || job.duration > 0 || job.segments > 0;
  for (int look = 0; !was_begun && look < most_looks; ++look) {
    if (run.stopped() != JobRun::Stop::none) break;
    const auto may_begin = co_await queue_.check_begin(job.request.owner, job.number);
    if (!may_begin && may_begin.error().code == errc::too_much_sound) co_return may_begin.error();
    if (!may_begin || *may_begin) break;
    co_await sleep_for(look_for_sound_left);
  }
  co_return Result<void>{};
}

GiveWay JobRunner::give_way(const Job& job, JobRun& run) {
  const auto may_now = [&run] { return run.may_give_way(steady_clock::now()); };
  const auto begin = [this, &run, may_now, number = job.number] {
    if (!may_now()) ++ended_early_[number];
    if (ended_early_.size() > most_ended_early) ended_early_.erase(ended_early_.begin());
    run.stop(JobRun::Stop::gives_way);
  };
  const auto early = ended_early_.find(job.number);
  return {.is_ready = may_now,
          .begin = begin,
          .ended_early = early == ended_early_.end() ? 0 : early->second};
}

asio::awaitable<Result<void>> JobRunner::transcribe(const Job& job, JobRun& run) {
  if (run.stopped() != JobRun::Stop::none) co_return Result<void>{};
  auto waiting = wait_for_sound_left(job, run);
  const auto has_some = co_await std::move(waiting);
  if (!has_some) co_return has_some.error();
  if (run.stopped() != JobRun::Stop::none) co_return Result<void>{};
  auto input = co_await open_input(job, run);
  if (!input) co_return input.error();
  std::vector<protocol::Segment> decided;
  const Attempt read = [&]() -> asio::awaitable<Result<void>> {
    auto segments = co_await queue_.segments(job.id, 0, max_decided);
    if (!segments) co_return segments.error();
    decided = *std::move(segments);
    co_return Result<void>{};
  };
  const bool is_read = co_await insist(read);
  if (!is_read) run.stop(JobRun::Stop::put_back);
  if (run.stopped() != JobRun::Stop::none) co_return Result<void>{};
  TranscriptionRequest request{
      .job = job.id,
      .request_id = job.request.trace.request_id,
      .owner = job.request.owner,
      .input = std::move(input->fd),
      .input_may_pause = input->may_pause,
      .decoder = job.request.decoder,
      .options = resumed(job.request.options, decided, job.position, job.language),
      .work_class = work_class_of(job.request)};
  request.decoder.extension = extension_of(job.request.title);
  if (job.request.split_channels) {
    request.channels = {resumed_channel(job.request.options, decided, job.position, 0),
                        resumed_channel(job.request.options, decided, job.position, 1)};
    request.channel_labels = job.request.channel_labels;
  }
  std::optional<KeepAlive> keep_alive;
  if (job.request.keep_alive_s) {
    keep_alive = milliseconds(static_cast<long long>(*job.request.keep_alive_s * 1000));
  }
  std::optional<SoundWriter> sound;
  if (settings_.sounds != nullptr) sound = begin_job_sound(*settings_.sounds, job);
  if (sound) {
    request.copy = {.file = sound->descriptor(), .max_bytes = sound->room()};
    request.on_decoded = [this, &sound, &job](double seconds) {
      sound->finish_at(seconds);
      settings_.on_sound(job.id);
    };
  }
  const auto transcribe_and_write = [&]() -> asio::awaitable<Result<void>> {
    protocol::TranscriptSink sink = [this, &job, &run,
                                     &sound](const protocol::TranscriptEvent& event) {
      run.take(event);
      if (sound) sound->measure();
      if (const auto* model = std::get_if<protocol::ModelLoaded>(&event)) {
        settings_.on_begin(job, *model);
      }
    };
    auto transcribing = models_.transcribe(job.request.model, std::move(request), run.transcript(),
                                           std::move(sink), keep_alive, {}, give_way(job, run));
    auto winner = co_await race(std::move(transcribing), run.write());
    co_return std::get<0>(std::move(winner));
  };
  auto token =
      asio::bind_cancellation_slot(run.signal().slot(), asio::as_tuple(asio::use_awaitable));
  auto [failure, ended] =
      co_await asio::co_spawn(executor_, transcribe_and_write, std::move(token));
  if (failure && run.stopped() == JobRun::Stop::none) {
    co_return failed_itself(failure);
  }
  co_return ended;
}

}  // namespace server
