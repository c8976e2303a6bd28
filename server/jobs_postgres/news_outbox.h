#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "server/jobs/job_news.h"

namespace server::postgres {

// What is to be told to other daemons: of each job the change that weighs most. Any thread may
// call. It is bounded: what comes while it is full is left out, and found by those who look.
class NewsOutbox {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t most_jobs = 4096;
  // The least time between two takings. What somebody may wait for goes soon, progress later.
  static constexpr std::chrono::milliseconds pause{50};
  static constexpr std::chrono::milliseconds pause_of_progress{500};

  void add_work(bool waited_for);
  void add(const JobNotice& notice);
  // Returns when take() is due; the latest time there is: nothing is to be told.
  Clock::time_point due() const;
  // Empties it.
  HeardNews take(Clock::time_point now);

 private:
  mutable std::mutex mutex_{};
  bool work_ = false;
  bool work_of_clients_ = false;
  bool is_urgent_ = false;
  std::map<std::string, JobNotice> jobs_{};  // by id
  Clock::time_point taken_{};
};

}  // namespace server::postgres
