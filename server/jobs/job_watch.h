#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "server/jobs/job_queue.h"

namespace server {

// Reports that something of a job has changed: state, segments or progress. What other processes
// change is found by JobQueue::follow_others().
class JobWatch {
 public:
  JobWatch(JobQueue& queue, const std::string& id);
  JobWatch(const JobWatch&) = delete;
  ~JobWatch();

  // Returns true if the job changed since this object was made, or since the last call that said
  // so; false if `deadline` passed before.
  asio::awaitable<bool> changed(std::chrono::steady_clock::time_point deadline);

 private:
  friend class JobQueue;

  void tell();

  JobQueue& queue_;
  const std::weak_ptr<const void> queue_life_;
  std::multimap<std::string, JobWatch*>::iterator place_;
  asio::steady_timer timer_;
  bool has_news_ = false;
};

}  // namespace server
