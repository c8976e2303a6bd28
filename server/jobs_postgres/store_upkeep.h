#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/session.h"

// Work on all jobs, from time to time. These functions throw Failure.
namespace server::postgres {

// See JobStore for this one. It does a part of what there is to do, and returns how many jobs it
// has removed.
int remove_old_jobs(Step& step, const PostgresStoreSettings& settings);

// The oldest ended jobs of owners who have more of them than are kept, which are removed early.
// They are counted once an hour, and by a few nodes alone. One thread uses it.
class ExcessJobs {
 public:
  bool is_due() const;
  // Removes some, and returns how many. Throws Failure.
  int remove(Step& step, int node, const PostgresStoreSettings& settings);

 private:
  void count(Step& step, std::int64_t most);

  std::vector<std::pair<std::string, std::int64_t>> over_{};  // owners, and the last job to remove
  std::chrono::steady_clock::time_point next_count_{};
};

// See JobStore::set_sound() and sounds_left().
bool write_sound(Step& step, const std::string& id, std::uint64_t bytes);
std::vector<std::string> take_sounds_left(Step& step, int most);

std::vector<KeptInput> kept_inputs(Step& step);
// `node` is the name of this one: others that live deliver the webhooks of the jobs that ended
// there.
std::vector<Job> undelivered_jobs(Step& step, const std::string& node);

}  // namespace server::postgres
