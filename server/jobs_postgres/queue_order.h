#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/jobs/claim.h"
#include "server/jobs_postgres/session.h"

// These functions decide whose job is begun next: the oldest of the owner who has the fewest
// running, and among equals of the one whose last job was begun longest ago. Turns are counted over
// all nodes. They throw Failure.
namespace server::postgres {

// Who claims: one start of a daemon, and the name that it has at every start.
struct Node {
  int number = 0;
  std::string name{};
  bool only_accepts = false;  // it begins no jobs
};

// The place of a client's job that any node may begin (schema.cpp).
inline constexpr char anywhere[] = "*";

// Begins the next job and returns it with all of its options. A client's job is begun where it
// waits; where that node begins none, by any other. `most_of_one` is a share of a node's places, so
// it counts what runs there.
std::optional<Job> claim_next(Step& step, const Node& node, const ClaimRequest& request);

// Returns the ids of all jobs that wait, in the order of their turns. Jobs that a client waits for
// come first here.
std::vector<std::string> waiting_jobs(Step& step);
// Returns the place of one of them, counted from 1; nothing: it does not wait.
std::optional<int> place_of_job(Step& step, const std::string& id);

}  // namespace server::postgres
