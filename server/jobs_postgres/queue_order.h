#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/claim.h"
#include "server/jobs_postgres/session.h"

// These functions decide which job is begun next: in each line the one with the first turn
// (turns.h), unless its owner runs as many as one may, or a model is loaded for another
// (turn_rules.h). They throw Failure.
namespace server::postgres {

// Who claims: one start of a daemon, and the name that it has at every start.
struct Node {
  int number = 0;
  std::string name{};
  bool only_accepts = false;  // it begins no jobs
};

// The places of jobs that any node may begin (schema.cpp): those that nobody waits for, those of
// bulk, and a client's. The names are in the order in which the lines are begun.
inline constexpr char for_anybody[] = "";
inline constexpr char in_bulk[] = "+";
inline constexpr char anywhere[] = "*";

// Begins the next job and returns it with all of its options. A client's job is begun where it
// waits; where that node begins none, by any other. `most_of_one` is a share of a node's places, so
// it counts what runs there. The store has begun so many that nobody waits for.
std::optional<Job> claim_next(Step& step, const Node& node, const ClaimRequest& request,
                              std::uint64_t begun);

// Returns the ids of all jobs that wait, in the order of their turns. Jobs that a client waits for
// come first here, and those of bulk last.
std::vector<std::string> waiting_jobs(Step& step);
// Returns the place of one of them, counted from 1; nothing: it does not wait.
std::optional<int> place_of_job(Step& step, const std::string& id);

}  // namespace server::postgres
