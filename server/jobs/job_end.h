#pragma once

#include "server/jobs/job_store.h"

namespace server {

// Returns the end as it is stored with this job: where speakers were to be told apart and the job
// ends before, its text stays, and a warning says that nobody is named in it.
JobEnd stored_end(const Job& job, JobEnd end);

// The ends of jobs whose process has ended: it did so too often while it worked on this one, and a
// client waited for it there.
Error worn_out(int max_attempts);
Error abandoned();

}  // namespace server
