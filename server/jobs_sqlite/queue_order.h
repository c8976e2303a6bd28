#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// These functions decide whose job is begun next: the oldest of the owner who has the fewest
// running, and among equals of the one whose last job was begun longest ago (base/owners_turn.h has
// the same rule). Jobs for which clients wait are in memory and have places of their own; turns are
// counted over both kinds.
namespace server {

// Returns the number of the job in this database (schema.h) that is begun next. Owners are passed
// over who have so many of this database running.
std::optional<std::int64_t> next_job(SQLite::Database& db, const char* database, int most_of_one);

// Returns the ids of all jobs that wait, in the order of their turns. Jobs that a client waits for
// come first here.
std::vector<std::string> waiting_jobs(SQLite::Database& db);

}  // namespace server
