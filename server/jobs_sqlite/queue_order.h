#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "server/base/owners_turn.h"

// These functions decide whose job is begun next. Jobs for which clients wait are in memory and
// have places of their own; turns are counted over both kinds.
namespace server {

// Returns the owners who have jobs that wait, in memory or on the disk.
std::vector<WaitingOwner> waiting_owners(SQLite::Database& db, const char* database);

// Returns the ids of all jobs that wait, in the order of their turns.
std::vector<std::string> waiting_jobs(SQLite::Database& db);

}  // namespace server
