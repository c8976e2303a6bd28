#pragma once

namespace SQLite {
class Database;
}

namespace server {

// The version of the tables that this scribed makes, as user_version of the file tells it.
inline constexpr int current_version = 12;

// Brings tables of version `from`, 0 for a database that has none, to version `to`. It is one
// transaction: it happens whole or not at all, also if scribed is killed meanwhile. Throws
// SQLite::Exception.
void upgrade_job_tables(SQLite::Database& db, int from, int to);

}  // namespace server
