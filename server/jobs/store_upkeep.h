#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <vector>

#include "server/jobs/job_store.h"

// What is done to the whole store: after a start, from time to time, and for those who are to be
// told. `now` is in seconds since 1970. They throw SQLite::Exception.
namespace server {

// See JobStore::recover(). In memory there is nothing after a start.
int recover_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now);

// See JobStore::remove_expired().
int remove_old_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now);

// See JobStore::inputs().
std::vector<KeptInput> kept_inputs(SQLite::Database& db);

// Ended jobs whose webhook is still to be delivered, of each owner the oldest, in turn; 1000 at
// most.
std::vector<Job> undelivered_jobs(SQLite::Database& db);

}  // namespace server
