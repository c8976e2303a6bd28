#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "server/jobs/job_queue.h"

namespace server {

// Reads a job's segments as they are decided, each once and in order.
class JobFollower {
 public:
  struct News {
    Job job{};
    std::vector<protocol::Segment> segments{};  // that were not given before
  };

  JobFollower(JobQueue& queue, std::string id, std::string owner, int first_segment = 0);

  // The first call answers at once; later ones wait for a change, until `deadline`. Where the job
  // has ended, everything that is left comes with it. Errors: job_not_found, and the store's.
  asio::awaitable<Result<News>> next(std::chrono::steady_clock::time_point deadline);

 private:
  JobQueue& queue_;
  JobWatch watch_;
  std::string id_;
  std::string owner_;
  int given_;
  bool is_first_ = true;
};

// Waits for the end of a job that a client waits for. A job that has not begun when scribed is
// about to end is cancelled, and the answer is the error `draining`.
asio::awaitable<Result<Job>> wait_for_end(JobQueue& queue, std::string id, std::string owner);

// Cancels a job, unless it was released: for as long as a client waits.
class CancelOnExit {
 public:
  CancelOnExit(JobQueue& queue, std::string id) : queue_(queue), id_(std::move(id)) {}
  CancelOnExit(const CancelOnExit&) = delete;
  ~CancelOnExit() {
    if (!id_.empty()) queue_.cancel_later(std::move(id_));
  }
  void release() { id_.clear(); }

 private:
  JobQueue& queue_;
  std::string id_;
};

Error job_not_found(const std::string& id);

}  // namespace server
