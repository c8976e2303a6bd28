#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "server/jobs/job_limits.h"

// What owners use, as the database knows it. Times are in seconds since 1970, and days are of UTC.
// These functions throw SQLite::Exception.
namespace server {

// Makes the table of sound where there is none. An older scribed leaves it alone, so the version of
// the database stays.
void prepare_sound_table(SQLite::Database& db);

OwnerUse owner_use(SQLite::Database& db, const std::string& owner, double now);

// Returns how many jobs wait.
int count_waiting_jobs(SQLite::Database& db);

// Counts what check_limits() looks at; the owner's use only for one who has limits of their own.
QueueUse queue_use(SQLite::Database& db, const std::string& owner, const JobLimits& limits,
                   double now);

// Counts sound that was transcribed for the owner on the day of `now`.
void count_sound(SQLite::Database& db, const std::string& owner, double seconds, double now);

// Forgets the days before that of `now`.
void forget_past_days(SQLite::Database& db, double now);

}  // namespace server
