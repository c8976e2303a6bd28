#pragma once

#include <functional>
#include <vector>

#include "server/jobs/job_notice.h"

namespace server {

// The news that a daemon has heard of others, which work on the same jobs.
struct HeardNews {
  bool work = false;              // there are jobs to begin for which nobody waits
  bool work_of_clients = false;   // there are jobs to begin whose clients wait at gateways
  std::vector<JobNotice> jobs{};  // jobs that have changed

  bool empty() const { return !work && !work_of_clients && jobs.empty(); }
};

// By this, daemons that share jobs tell each other what they have done. News are quick, and may be
// lost: whoever hears them also looks from time to time. Calls return at once, and any thread may
// call. What is told is heard by the others alone.
class JobNews {
 public:
  using Hear = std::function<void(HeardNews)>;

  virtual ~JobNews() = default;

  // A job can be begun; `waited_for`: its client waits at a daemon that begins none.
  virtual void tell_work(bool waited_for) = 0;
  virtual void tell(const JobNotice& notice) = 0;
  // Returns whether news of others arrive now, as far as this daemon knows.
  virtual bool arrive() const = 0;
};

}  // namespace server
