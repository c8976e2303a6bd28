#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
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

// How to wait for a job's end.
struct JobWait {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Hears of the job whenever it was looked at and goes on: at first, after each change, and this
  // often without one.
  std::function<void(const Job&)> looked = [](const Job&) {};
  std::chrono::seconds look_every = std::chrono::hours(1);
};

// The job when it has ended, or as it is at the deadline. Errors: job_not_found (also of another
// owner), `draining` where it has not begun and scribed is about to end, and the store's. Of what
// becomes of the job then the caller decides.
asio::awaitable<Result<Job>> wait_for_end(JobQueue& queue, std::string id, std::string owner,
                                          JobWait wait);

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

}  // namespace server
