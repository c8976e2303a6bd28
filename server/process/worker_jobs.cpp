#include "server/process/worker_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

// Returns the field in which the message names its job; nullptr if it is about none.
std::string* job_of(wire::Message& message) {
  const auto name = [](auto& about) -> std::string* {
    using Field = std::decay_t<decltype(about)>;
    if constexpr (std::is_same_v<Field, wire::Failed>) {
      return about.job ? &*about.job : nullptr;
    } else if constexpr (requires { about.job; }) {
      return &about.job;
    } else {
      return nullptr;
    }
  };
  return std::visit(name, message);
}

double in_seconds(milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

std::shared_ptr<WorkerJob> WorkerJobs::add(std::string name, int rows, JobListener listener) {
  auto job =
      std::make_shared<WorkerJob>(executor_, ++begun_, std::move(name), rows, std::move(listener));
  jobs_.emplace(job->id, job);
  return job;
}

bool WorkerJobs::is_wanted(const std::string& id) const {
  const auto found = jobs_.find(id);
  return found != jobs_.end() && found->second->listener;
}

bool WorkerJobs::leave(const WorkerJob& job) {
  const auto found = jobs_.find(job.id);
  if (found == jobs_.end()) return false;
  found->second->listener.reset();
  found->second->stall = milliseconds{0};
  return true;
}

void WorkerJobs::take(wire::Message message) {
  std::string* about = job_of(message);
  const auto found = about ? jobs_.find(*about) : jobs_.end();
  if (found == jobs_.end()) return;
  const auto job = found->second;  // kept alive here, because delivering the message may end it
  *about = job->name;
  if (job->listener) job->stall = milliseconds{0};
  if (const auto* failed = std::get_if<wire::Failed>(&message)) {
    end(*job, failed->error);
  } else if (const auto* done = std::get_if<wire::Done>(&message)) {
    end(*job, *done);
  } else if (const auto* report = std::get_if<wire::Event>(&message); report && job->listener) {
    tell(*job, report->event);
  }
}

void WorkerJobs::tell(WorkerJob& job, const protocol::TranscriptEvent& event) {
  try {
    job.listener->sink(event);
  } catch (...) {
    // The caller of transcribe() gets the exception and leaves.
    job.thrown = std::current_exception();
    job.listener.reset();
    job.ended.set();
  }
}

void WorkerJobs::end(WorkerJob& job, Result<wire::Done> result) {
  job.result = std::move(result);
  job.ended.set();
  jobs_.erase(job.id);
}

void WorkerJobs::fail_all(const Error& error) {
  const auto jobs = std::exchange(jobs_, {});
  const auto largest = std::ranges::max_element(jobs, {}, [](const auto& entry) {
    return std::pair(entry.second->rows, entry.second->number);
  });
  for (const auto& [id, job] : jobs) {
    job->result = id == largest->first ? error : of_bystander(error);
    job->ended.set();
  }
}

Error of_bystander(Error death) {
  if (death.code == errc::out_of_memory) death.code = errc::worker_died;
  return death;
}

std::optional<std::string> WorkerJobs::count_tick(const WorkerLimits& limits) {
  for (const auto& [id, job] : jobs_) {
    const bool may_rest = job->listener && !job->listener->must_move_on();
    job->stall = may_rest ? milliseconds{0} : job->stall + limits.tick;
    if (job->listener && job->stall >= limits.stall) {
      return fmt::format("the transcription has not moved on for {:.0f} s", in_seconds(job->stall));
    }
    if (!job->listener && job->stall >= limits.cancel) {
      return fmt::format("a canceled transcription did not end within {:.0f} s",
                         in_seconds(job->stall));
    }
  }
  return std::nullopt;
}

}  // namespace server
