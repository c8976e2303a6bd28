#pragma once

#include "server/base/error.h"

namespace SQLite {
class Database;
}

namespace server {

// The two databases of a connection, which have the same tables: the file, and beside it one in
// memory for jobs whose clients wait. The view `all_jobs` has the jobs of both.
inline constexpr char on_disk[] = "main";
inline constexpr char in_memory[] = "memory";

// Sets a connection up, and makes or brings up to date its tables. The error is newer_store; throws
// SQLite::Exception.
Result<void> prepare_job_database(SQLite::Database& db);

}  // namespace server
