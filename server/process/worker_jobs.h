#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "protocol/worker_messages.h"
#include "server/base/once_event.h"
#include "server/process/worker.h"

namespace server {

// A job and how it ended: with a result, or with what its listener threw.
struct WorkerJob {
  WorkerJob(asio::any_io_executor executor, std::string id, std::string name, JobListener listener)
      : id(std::move(id)),
        name(std::move(name)),
        listener(std::move(listener)),
        ended(std::move(executor)) {}

  std::string id;                       // the worker's name for it; never used twice
  std::string name;                     // the caller's name for it
  std::optional<JobListener> listener;  // nothing: cancelled, and only its end is awaited
  OnceEvent ended;
  std::optional<Result<protocol::worker::Done>> result{};
  std::exception_ptr thrown{};
  std::chrono::milliseconds stall{0};  // time since its last progress, or since it was cancelled
};

// The jobs that one worker runs. It knows which job gets which message, and which of them takes too
// long.
class WorkerJobs {
 public:
  explicit WorkerJobs(asio::any_io_executor executor) : executor_(std::move(executor)) {}

  std::size_t size() const { return jobs_.size(); }
  // Returns whether somebody waits for the job.
  bool is_wanted(const std::string& id) const;

  // `listener` is told until the job has ended or leave() is called.
  std::shared_ptr<WorkerJob> add(std::string name, JobListener listener);

  // Called when nobody waits for the job any more. Returns false if it has already ended.
  bool leave(const WorkerJob& job);

  // Delivers a message of the worker. A message about a job that has ended, or about none, is
  // ignored.
  void take(protocol::worker::Message message);

  void fail_all(const Error& error);

  // Called after each tick. Returns what is wrong when a job has taken too long.
  std::optional<std::string> count_tick(const WorkerLimits& limits);

 private:
  void tell(WorkerJob& job, const protocol::TranscriptEvent& event);
  void end(WorkerJob& job, Result<protocol::worker::Done> result);

  asio::any_io_executor executor_;
  std::map<std::string, std::shared_ptr<WorkerJob>> jobs_{};  // by id
  std::uint64_t begun_ = 0;
};

}  // namespace server
