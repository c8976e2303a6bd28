#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "server/jobs/job_store.h"
#include "server/jobs_sqlite/turns.h"

// What a job writes from its begin to its end, with the index of its text. `database` is one of
// those of schema.h. These functions throw SQLite::Exception; those of more than one statement are
// called in a transaction.
namespace server {

// Makes a job of a request. A live one runs at once. Times are seconds since 1970.
Job new_job(JobRequest request, std::int64_t number, double now);

// Writes a new job, which has its id and number. `cost` is what it adds to its owner's next turn.
void write_new_job(SQLite::Database& db, const char* database, const Job& job, double cost);

// Begins the job with this number, which waits in a line, and returns it with all of its options.
// Times are seconds since 1970.
std::optional<Job> write_begin(SQLite::Database& db, const Line& line, std::int64_t number,
                               double now);

// Writes for one run. The error is claim_lost.
Result<void> write_run(SQLite::Database& db, const RunWrite& write);
// See JobStore; returns false if the job is not the claim's.
bool write_return(SQLite::Database& db, const char* database, const Claim& claim, bool counts,
                  double now);

struct EndTime {
  double now = 0;     // seconds since 1970
  double keep_s = 0;  // how long jobs are kept that do not say it; 0: for good
};

// See JobStore for these two, which end a job in a transaction of their own.
Result<Job> finish_job(SQLite::Database& db, const Claim& claim, const JobEnd& end,
                       const EndTime& time);
std::optional<Job> cancel_job(SQLite::Database& db, const std::string& id,
                              const std::optional<std::string>& owner, const EndTime& time);

}  // namespace server
