#pragma once

namespace SQLite {
class Database;
}

namespace server {

// Sets a connection up, and makes or brings up to date its tables. Throws SQLite::Exception.
void prepare_job_database(SQLite::Database& db);

}  // namespace server
