#pragma once

#include <optional>
#include <span>
#include <string>

#include "server/jobs/job_store.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/session.h"

// What a job writes from its begin to its end. A run's write names the job's number and epoch, and
// that somebody runs it. `state = 1` beside them would let the planner look for the job in the
// index of all that runs, which it takes for empty where its statistics are old. These functions
// throw Failure.
namespace server::postgres {

// See JobStore::submit().
Result<Job> submit_job(Step& step, const Node& node, const JobRequest& request,
                       const JobLimits& limits);

// These two lock the job's row. They return nothing for a job that the claim does not hold, or that
// is not open.
std::optional<Job> find_claimed(Step& step, const Claim& claim);
std::optional<Job> find_open(Step& step, const std::string& id,
                             const std::optional<std::string>& owner);

// Adds segments behind those of the job, which is locked.
void append_segments(Step& step, const Job& job, std::span<const protocol::Segment> segments);

// These two return false if the job is not the claim's. For the second see JobStore.
bool write_progress(Step& step, const Claim& claim, const RunProgress& progress);
bool write_return(Step& step, const Claim& claim, bool counts);

// Ends a job that waits or runs, and is locked; see JobStore::finish(). `keep_s` is how long jobs
// are kept that do not say it.
Job write_end(Step& step, const Node& node, const Job& open, const JobEnd& end, double keep_s);

}  // namespace server::postgres
