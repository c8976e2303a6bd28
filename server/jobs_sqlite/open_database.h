#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>

#include "server/base/error.h"
#include "server/jobs_sqlite/disk_space.h"

namespace server {

// Opens the database of jobs, which is made with mode 0600, or brought up to date. On a full disk
// it uses the reserve. Errors: those of open_job_store().
Result<SQLite::Database> open_job_database(const std::filesystem::path& file,
                                           const DiskReserve& reserve);

}  // namespace server
