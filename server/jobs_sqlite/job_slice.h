#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/base/error.h"
#include "server/jobs/job_filter.h"

namespace SQLite {
class Database;
}

namespace server {

// See JobStore::slice().
Result<JobSlice> slice_of_jobs(SQLite::Database& db, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size);

}  // namespace server
