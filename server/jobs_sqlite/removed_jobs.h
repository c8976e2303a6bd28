#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>

// What is left of jobs that were removed. The row of a job goes at once, so that nobody sees the
// job any more; its texts may be long, and go in pieces.
namespace server {

// Removes pieces for so long, in one transaction. Returns whether there is more. Throws
// SQLite::Exception.
bool remove_left(SQLite::Database& db, std::chrono::milliseconds longest);

}  // namespace server
