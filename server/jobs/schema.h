#pragma once

#include "server/base/error.h"

namespace SQLite {
class Database;
}

namespace server {

// Sets a connection up, and makes or brings up to date its tables. The error is newer_store; throws
// SQLite::Exception.
Result<void> prepare_job_database(SQLite::Database& db);

}  // namespace server
