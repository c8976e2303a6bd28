#pragma once

#include <string>
#include <vector>

#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/session.h"

// Work on all jobs, from time to time. These functions throw Failure.
namespace server::postgres {

// See JobStore for these. The first two do a part of what there is to do, and return how many jobs
// they have removed. The second counts all jobs of all owners.
int remove_old_jobs(Step& step, const PostgresStoreSettings& settings);
int remove_excess_jobs(Step& step, const PostgresStoreSettings& settings);
// See JobStore::set_sound() and sounds_left().
bool write_sound(Step& step, const std::string& id, std::uint64_t bytes);
std::vector<std::string> take_sounds_left(Step& step, int most);

std::vector<KeptInput> kept_inputs(Step& step);
// `node` is the name of this one: others that live deliver the webhooks of the jobs that ended
// there.
std::vector<Job> undelivered_jobs(Step& step, const std::string& node);

}  // namespace server::postgres
