#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job.h"

// These functions look for jobs on the disk and in memory. No owner stands for all of them. They
// throw SQLite::Exception.
namespace server {

// Returns the database (schema.h) that has the job.
const char* home_of(SQLite::Database& db, const std::string& id);
const char* home_of(SQLite::Database& db, std::int64_t number);

std::optional<Job> find_job(SQLite::Database& db, const std::string& id,
                            const std::optional<std::string>& owner);
std::optional<Job> find_by_key(SQLite::Database& db, const std::string& owner,
                               const std::string& key);

// Returns the place of a job in the order of all; nothing if there is no such job of that owner.
std::optional<std::int64_t> number_of_job(SQLite::Database& db, const std::string& id,
                                          const std::optional<std::string>& owner);
// See JobStore::list().
Result<std::vector<Job>> list_jobs(SQLite::Database& db, const std::optional<std::string>& owner,
                                   int limit, const std::string& before);

}  // namespace server
