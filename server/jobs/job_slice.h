#pragma once

#include <string>

#include "server/jobs/job_filter.h"

namespace SQLite {
class Database;
}

namespace server {

// JobStore::slice() behind the job of that number; 0: at the beginning.
JobSlice slice_of_jobs(SQLite::Database& db, const std::string& owner, const JobFilter& filter,
                       std::int64_t number, int size);

}  // namespace server
