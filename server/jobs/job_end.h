#pragma once

#include "server/jobs/job_store.h"

namespace server {

// Returns the end as it is stored with this job: where speakers were to be told apart and the job
// ends before, its text stays, and a warning says that nobody is named in it.
JobEnd stored_end(const Job& job, JobEnd end);

// A daemon never reads the bytes of a recording, so the end of one (a kill, a loss of power) is not
// taken for a fault of the jobs that ran: it is no attempt without progress. Only a job that was
// begun so often, and got no further in the last run, has failed: it may be what ends daemons.
inline constexpr int most_begins = 100;

// The ends of jobs whose process has ended: it did so too often while it worked on this one, and a
// client waited for it there.
Error worn_out(int begins);
Error abandoned();

}  // namespace server
