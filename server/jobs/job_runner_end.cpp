#include <algorithm>
#include <array>
#include <utility>

#include "server/jobs/job_runner.h"

// How a runner leaves a job: it has ended, or waits again.
namespace server {

using std::chrono::milliseconds;

namespace {

// A runner that found no worker leaves the others their attempts for a while.
constexpr milliseconds pause_without_worker{2'000};
// The limit for a job nobody waits for, when no worker could be started, which is not its fault.
constexpr int max_attempts_without_worker = 10;  // about five minutes, as each waits longer

bool is_about_the_worker(const Error& error) {
  constexpr std::array codes{errc::worker_died, errc::worker_hung, errc::device_unavailable};
  return std::ranges::find(codes, error.code) != codes.end();
}

}  // namespace

// A job that was cancelled has its end already, or another run.
asio::awaitable<void> JobRunner::settle(const Job& job, JobRun& run, Result<void> result) {
  if (run.stopped() == JobRun::Stop::cancelled) co_return;
  if (run.stopped() == JobRun::Stop::put_back) co_return co_await put_back(job);
  if (run.stopped() == JobRun::Stop::gives_way) co_return co_await requeue(run, false);
  JobEnd end{.summary = run.transcript(), .exclusive_turns = run.exclusive_turns()};
  if (!result && result.error().code == errc::inputs_unavailable) {
    co_await wait_for_input(run);
    co_return;
  }
  if (!result) {
    const bool again = co_await begin_again(job, run, result.error());
    if (again) co_return;
    end.state = JobState::failed;
    end.error = result.error();
  }
  const Attempt finish = [&]() -> asio::awaitable<Result<void>> {
    auto finished = co_await queue_.finish(run.claim(), end);
    co_return finished;
  };
  co_await insist(finish);
}

// The job waits again, and goes on behind its last segment. `counts` as in JobQueue::requeue().
asio::awaitable<void> JobRunner::requeue(const JobRun& run, bool counts) {
  const Attempt requeue = [&]() -> asio::awaitable<Result<void>> {
    auto queued = co_await queue_.requeue(run.claim(), counts);
    co_return queued;
  };
  co_await insist(requeue);
}

// Others may be able to get the recording, so the job is theirs while this runner pauses.
asio::awaitable<void> JobRunner::wait_for_input(const JobRun& run) {
  co_await requeue(run, false);
  co_await pause(settings_.pause_without_input);
}

asio::awaitable<void> JobRunner::put_back(const Job& job) {
  const auto now = co_await queue_.find(job.id, job.request.owner);
  // The store failed and its row still says "running": the next start goes on with the job.
  if (!now || !*now) co_return;
  if ((*now)->request.detached || (*now)->client_is_elsewhere) {
    co_await queue_.requeue(claim_of(job), false);
    co_return;
  }
  // The client that waited is told why; its job has not failed, and nobody would read it later.
  JobEnd end{.state = JobState::cancelled, .error = draining()};
  co_await queue_.finish(claim_of(job), std::move(end));
}

// Puts a job back into the queue, where it waits for a while, if its worker died or could not be
// started.
asio::awaitable<bool> JobRunner::begin_again(const Job& job, const JobRun& run,
                                             const Error& error) {
  if (!is_about_the_worker(error)) co_return false;
  const bool is_patient = job.request.detached && !run.has_reached_worker();
  const int most = is_patient ? std::max(settings_.max_attempts, max_attempts_without_worker)
                              : settings_.max_attempts;
  if (!run.has_progressed() && job.attempts_without_progress >= most) co_return false;
  co_await requeue(run, true);
  if (!run.has_reached_worker()) co_await pause(pause_without_worker);
  co_return true;
}

}  // namespace server
