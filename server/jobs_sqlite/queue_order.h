#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/claim.h"
#include "server/jobs_sqlite/turns.h"

// These functions decide which job is begun next: in each line the one with the first turn
// (turns.h), unless its owner runs as many as one may, or a model is loaded for another
// (jobs/turn_rules.h). Jobs for which clients wait are in memory and have places of their own.
namespace server {

struct NextJob {
  std::int64_t number = 0;
  bool is_before_its_turn = false;  // because its model is loaded
};

// Returns where the next job is looked for, in this order. `begun` is how many jobs that nobody
// waits for were begun by now.
std::vector<Line> lines_of(const ClaimRequest& request, std::uint64_t begun);

// Returns the job in this line that is begun next. `now` is in seconds since 1970.
std::optional<NextJob> next_job(SQLite::Database& db, const Line& line, const ClaimRequest& request,
                                double now);

// Returns the ids of all jobs that wait, in the order of their turns. Jobs that a client waits for
// come first here, and those of bulk last.
std::vector<std::string> waiting_jobs(SQLite::Database& db);

}  // namespace server
