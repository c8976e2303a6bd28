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
  WorkerJob(asio::any_io_executor executor, std::uint64_t number, std::string name, int rows,
            JobListener listener)
      : number(number),
        id(std::to_string(number)),
        name(std::move(name)),
        rows(rows),
        listener(std::move(listener)),
        ended(std::move(executor)) {}

  std::uint64_t number;                 // in the order of their begin
  std::string id;                       // the worker's name for it; never used twice
  std::string name;                     // the caller's name for it
  int rows;                             // that it decodes side by side at most
  std::optional<JobListener> listener;  // nothing: cancelled, and only its end is awaited
  OnceEvent ended;
  std::optional<Result<protocol::worker::Done>> result{};
  std::exception_ptr thrown{};
  std::chrono::milliseconds stall{0};  // time since its last progress, or since it was cancelled
};

// Returns how a worker's death is told to a job that did not cause it.
Error of_bystander(Error death);

// The jobs that one worker runs. It knows which job gets which message, and which of them takes too
// long.
class WorkerJobs {
 public:
  explicit WorkerJobs(asio::any_io_executor executor) : executor_(std::move(executor)) {}

  std::size_t size() const { return jobs_.size(); }
  // Returns whether somebody waits for the job.
  bool is_wanted(const std::string& id) const;

  // `listener` is told until the job has ended or leave() is called.
  std::shared_ptr<WorkerJob> add(std::string name, int rows, JobListener listener);

  // Called when nobody waits for the job any more. Returns false if it has already ended.
  bool leave(const WorkerJob& job);

  // Delivers a message of the worker. A message about a job that has ended, or about none, is
  // ignored.
  void take(protocol::worker::Message message);

  // Ends all jobs as their worker has ended. For want of memory (out_of_memory) it is the job with
  // the most rows that fails, of equal ones the last; of the others only the worker has died, so
  // they may be done again.
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
