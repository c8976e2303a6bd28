#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>

// What is left of jobs that were removed. The row of a job goes at once, so that nobody sees the
// job any more; its texts may be long, and go in pieces.
namespace server {

// Removes pieces for so long, in one transaction. Returns whether there is more. Throws
// SQLite::Exception.
bool remove_left(SQLite::Database& db, std::chrono::milliseconds longest);

// Merges some pages of the index of searches, where removed texts take a good part of the database:
// it keeps a note of what was removed, beside the text itself, until its parts are merged. Returns
// whether there is more to do. Throws SQLite::Exception.
bool merge_index(SQLite::Database& db);

}  // namespace server
