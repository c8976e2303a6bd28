#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "server/jobs/job_store.h"

// What a job writes from its begin to its end, with the index of its text. `database` is one of
// those of schema.h. These functions are called in a transaction, and throw SQLite::Exception.
namespace server {

// Writes a new job, which has its id and number.
void write_new_job(SQLite::Database& db, const char* database, const Job& job);

struct BeginTime {
  double now = 0;         // seconds since 1970
  std::int64_t turn = 0;  // how often jobs were begun by then, with this one
};

// Begins the job with this number, which waits, and returns it with all of its options.
std::optional<Job> write_begin(SQLite::Database& db, const char* database, std::int64_t number,
                               const BeginTime& time);

// See JobStore::add_segments().
void append_segments(SQLite::Database& db, const char* database, const std::string& id,
                     std::span<const protocol::Segment> segments);

struct EndTime {
  double now = 0;     // seconds since 1970
  double keep_s = 0;  // how long jobs are kept that do not say it
};

// See JobStore::finish().
std::optional<Job> write_end(SQLite::Database& db, const char* database, const std::string& id,
                             const JobEnd& end, const EndTime& time);

}  // namespace server
