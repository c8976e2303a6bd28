#pragma once

#include "server/base/error.h"

namespace SQLite {
class Database;
}

namespace server {

// The two databases of a connection, which have the same tables: the file, and a database in memory
// for jobs whose clients wait. The view `all_jobs` has the jobs of both.
inline constexpr char on_disk[] = "main";
inline constexpr char in_memory[] = "memory";

// Sets a connection up, and makes its tables or brings them up to date. The error is newer_store;
// throws SQLite::Exception.
Result<void> prepare_job_database(SQLite::Database& db);

// Makes tables that have no version, where they are missing.
void make_unversioned_tables(SQLite::Database& db);

Error newer_store();

}  // namespace server
