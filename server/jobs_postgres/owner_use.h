#pragma once

#include <string>

#include "server/jobs/job_limits.h"
#include "server/jobs_postgres/session.h"

// What owners use, as the database knows it. Days are of UTC. These functions throw Failure.
namespace server::postgres {

// Until the end of the transaction nobody else counts or adds jobs of this owner.
void lock_owner(Step& step, const std::string& owner);

OwnerUse owner_use(Step& step, const std::string& owner);

int count_waiting_jobs(Step& step);

// Counts what check_limits() looks at, as far as these limits need it: a job that waits beyond a
// limit is not counted.
QueueUse queue_use(Step& step, const std::string& owner, const JobLimits& limits);

// Counts sound that was transcribed for the owner today.
void count_sound(Step& step, const std::string& owner, double seconds);

void forget_past_days(Step& step);

}  // namespace server::postgres
