#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <vector>

#include "server/jobs_sqlite/sqlite_job_store.h"

// These functions maintain the whole store: after a start, from time to time, and for webhooks.
// `now` is in seconds since 1970. They throw SQLite::Exception.
namespace server {

// See JobStore::recover(). The memory database is empty after a start.
int recover_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now);

// See JobStore::remove_expired().
int remove_old_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now);

// See JobStore::inputs().
std::vector<KeptInput> kept_inputs(SQLite::Database& db);

// See JobStore::back_up().
std::vector<std::filesystem::path> back_up_jobs(SQLite::Database& db,
                                                const std::filesystem::path& file);

// Returns ended jobs whose webhook is still to be delivered, of each owner the oldest, in turn; at
// most 1000.
std::vector<Job> undelivered_jobs(SQLite::Database& db);

}  // namespace server
