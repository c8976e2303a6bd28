#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "server/jobs_sqlite/sqlite_job_store.h"

// These functions are called in a transaction, and throw SQLite::Exception. `now` is in seconds
// since 1970.
namespace server {

// Moves a job from memory to the disk, with its segments; one that is there stays there.
void move_to_disk(SQLite::Database& db, const std::string& id);

// Finds a job that a person changes, which is on the disk then. The error is job_not_found.
Result<Job> job_to_change(SQLite::Database& db, const std::string& id, const std::string& owner);

struct JobOfOwner {
  std::string id{};
  std::string owner{};
};

// See JobStore::change().
Result<Job> change_job(SQLite::Database& db, const JobStoreSettings& settings, double now,
                       const JobOfOwner& whose, const JobChange& change);

// See JobStore::set_speaker_names(). `database` is one of those of schema.h.
void write_names(SQLite::Database& db, const char* database, const std::string& id,
                 const protocol::SpeakerNames& names);

}  // namespace server
