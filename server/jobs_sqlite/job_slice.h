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

// Returns the condition of a statement that ?2 is the owner of a job; without an owner, and with an
// empty ?2, any owner is.
const char* is_of(const std::optional<std::string>& owner);

// Returns the place of a job in the order of all; nothing if there is no such job of that owner.
std::optional<std::int64_t> number_of_job(SQLite::Database& db, const std::string& id,
                                          const std::optional<std::string>& owner);

// The error of a page behind a job that is not there.
Error no_such_place(const std::string& id);

// See JobStore::slice().
Result<JobSlice> slice_of_jobs(SQLite::Database& db, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size);

}  // namespace server
