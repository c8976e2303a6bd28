#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/job.h"

// These functions read and write rows of the table `jobs`, with all its columns. `database` is one
// of those of schema.h.
namespace server {

Job read_job(SQLite::Statement& row);

std::vector<Job> read_all(SQLite::Statement& query);
std::optional<Job> read_first(SQLite::Statement& query);
// Returns the row that a change returns; the change is made when its statement has ended.
std::optional<Job> read_changed(SQLite::Statement& change);

// Returns up to `limit` of a job's segments from number `first` on, as they were decided, with
// their speakers' names. A negative limit stands for all.
std::vector<protocol::Segment> read_segments(SQLite::Database& db, const char* database,
                                             const std::string& id, int first, int limit);

// Names the speakers of a job's segments, which are cut where another one speaks, and returns how
// many they are then. To be called in a transaction.
int name_stored_speakers(SQLite::Database& db, const char* database, const std::string& id,
                         std::span<const protocol::SpeakerTurn> turns);

// Reads all options of a job, which only its worker needs.
void read_options(SQLite::Database& db, const char* database, Job& job);
// Removes the options of jobs that have ended.
void drop_options(SQLite::Database& db, const char* database);

}  // namespace server
