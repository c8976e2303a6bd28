#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

#include "server/jobs/job_store.h"

// How many bytes the store has of each job and owner: triggers count them (schema.cpp). What is in
// memory does not count. These functions throw SQLite::Exception.
namespace server {

std::int64_t stored_of_owner(SQLite::Database& db, const std::string& owner);
StoredBytes stored_of_all(SQLite::Database& db);

// Counts the newest job of an earlier version that is not counted yet. Returns false if there is
// none.
bool count_next(SQLite::Database& db);

}  // namespace server
