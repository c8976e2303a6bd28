#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/base/owners_turn.h"
#include "server/jobs/job.h"

// Rows of the table `jobs`, all columns of it.
namespace server {

Job read_job(SQLite::Statement& row);

std::vector<Job> read_all(SQLite::Statement& query);
std::optional<Job> read_first(SQLite::Statement& query);
// Of a change that returns what it changed: it is made when its statement has ended.
std::optional<Job> read_changed(SQLite::Statement& change);

// All options of a job, which only its work needs.
void read_options(SQLite::Database& db, Job& job);
// Those of jobs that have ended.
void drop_options(SQLite::Database& db);

// Ended jobs whose webhook has not been told, of each owner the oldest, in turn; 1000 at most.
std::vector<Job> untold_jobs(SQLite::Database& db);
// Forgets the oldest ended jobs of owners who have more than so many. How many.
int remove_excess(SQLite::Database& db, std::int64_t most_of_one);

// The owners of whom jobs wait.
std::vector<WaitingOwner> waiting_owners(SQLite::Database& db, bool waited_for);
// The ids of all jobs that wait, in the order of their turns.
std::vector<std::string> waiting_jobs(SQLite::Database& db);

}  // namespace server
