#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_queue.h"

namespace server {

// Who waits for a job, and so what becomes of it when they go.
enum class Follow {
  nobody,       // it is left to itself from the beginning, and its result is kept
  to_the_end,   // its client waits for the answer, and it is forgotten with that
  for_a_while,  // its client waits: keep() leaves it to itself; before that it is cancelled
};

// How to wait for a job's end.
struct JobWait {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Hears of the job whenever it was looked at and goes on: at first, after each change, and this
  // often without one.
  std::function<void(const Job&)> looked = [](const Job&) {};
  std::chrono::seconds look_every = std::chrono::hours(1);
};

// A job, and one who reads what becomes of it. When this goes, however that happens, the job ends
// or is forgotten where `follow` says so. The queue must outlive it.
class FollowedJob {
 public:
  struct News {
    Job job{};
    std::vector<protocol::Segment> segments{};  // that were not given before
  };

  // A job that is there, whoever submitted it.
  FollowedJob(JobQueue& queue, std::string id, std::string owner);
  // `is_let_go`: whether a call that ends before keep() leaves its job to itself after all.
  FollowedJob(JobQueue& queue, Job job, Follow follow, std::function<bool()> is_let_go);
  FollowedJob(FollowedJob&& other) noexcept;
  FollowedJob& operator=(FollowedJob&&) = delete;
  ~FollowedJob();

  // As it was accepted.
  const Job& job() const { return job_; }

  // What happened since the last call: segments come as they are decided, each once and in order.
  // The first call answers at once; later ones wait for a change, until `deadline`. Where the job
  // has ended, everything that is left comes with it. Errors: job_not_found (also of another
  // owner's job), and the store's.
  asio::awaitable<Result<News>> next(std::chrono::steady_clock::time_point deadline);

  // The job when it has ended, or as it is at the deadline. Errors: as of next(), and `draining`
  // where it has not begun and scribed is about to end.
  asio::awaitable<Result<Job>> ended(JobWait wait);

  // Why the job gives no text: it failed, was cancelled, or is not begun any more. Nothing where it
  // has given all of it, or still may.
  std::optional<Error> problem_of(const Job& job) const;

  // What is decided by now of the job, as it was found.
  asio::awaitable<Result<protocol::Transcript>> transcript(Job job) const;

  // Leaves the job to itself: it goes on, and its result is kept. It is on the disk when this
  // answers.
  asio::awaitable<Result<void>> keep();

 private:
  asio::awaitable<Result<Job>> look() const;

  JobQueue* queue_;  // nullptr: it was moved from
  Job job_;
  std::unique_ptr<JobWatch> watch_;
  Follow follow_ = Follow::nobody;
  std::function<bool()> is_let_go_{};
  int given_ = 0;  // segments
  bool is_first_ = true;
};

}  // namespace server
