#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_watch.h"

namespace server {

// Who waits for a job, which decides what becomes of it when they leave.
enum class Follow {
  nobody,       // nobody waits from the beginning, and the result is kept
  to_the_end,   // the client waits for the answer; the job is removed afterwards
  for_a_while,  // the client waits; the job is cancelled if it leaves before keep()
};

// The way a caller waits for a job's end.
struct JobWait {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Called with the job whenever it was read and has not ended: at first, after each change, and
  // otherwise once in `look_every`.
  std::function<void(const Job&)> looked = [](const Job&) {};
  std::chrono::seconds look_every = std::chrono::hours(1);
};

// A job and a reader who follows it. The destructor ends or removes the job if `follow` says so.
// The queue must outlive this object.
class FollowedJob {
 public:
  struct News {
    Job job{};
    std::vector<protocol::Segment> segments{};  // segments that no earlier call returned
    // The speakers are known now: the segments are all of the job's, named and cut by them, and
    // take the place of those that earlier calls returned.
    bool begins_anew = false;
  };

  // Follows an existing job, whoever submitted it.
  FollowedJob(JobQueue& queue, std::string id, std::string owner);
  // `is_let_go` returns whether a call that ends before keep() leaves its job running after all.
  FollowedJob(JobQueue& queue, Job job, Follow follow, std::function<bool()> is_let_go);
  FollowedJob(FollowedJob&& other) noexcept;
  FollowedJob& operator=(FollowedJob&&) = delete;
  ~FollowedJob();

  // The job as it was accepted.
  const Job& job() const { return job_; }

  // Returns the changes since the last call: segments come as they are decided, each once and in
  // order, and once more when the job has ended and its speakers are told apart. The first call
  // returns at once; later ones wait for a change, until `deadline`. If the job has ended, all
  // remaining segments come with it. Errors: job_not_found (also for another owner's job), and the
  // store's.
  asio::awaitable<Result<News>> next(std::chrono::steady_clock::time_point deadline);

  // Returns the job when it has ended, or as it is at the deadline. Errors: those of next(), and
  // `draining` if it has not begun and scribed is about to end.
  asio::awaitable<Result<Job>> ended(JobWait wait);

  // Returns why the job gives no text: it failed, was cancelled, or will not be begun. Nothing: it
  // has given all of its text, or still may.
  std::optional<Error> problem_of(const Job& job) const;

  // Returns what is decided by now of the job that was found.
  asio::awaitable<Result<ReadTranscript>> transcript(Job job) const;

  // Lets the job go on without this reader, and keeps its result. It is on the disk when this
  // returns.
  asio::awaitable<Result<void>> keep();

 private:
  asio::awaitable<Result<Job>> look() const;

  JobQueue* queue_;  // nullptr: moved from
  std::weak_ptr<const void> queue_life_;
  Job job_;
  std::unique_ptr<JobWatch> watch_;
  Follow follow_ = Follow::nobody;
  std::function<bool()> is_let_go_{};
  int given_ = 0;  // segments that next() has returned
  bool is_first_ = true;
};

}  // namespace server
