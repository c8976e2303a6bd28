#pragma once

#include <cstdint>
#include <string>

#include "server/jobs/job_limits.h"

// The rules by which every store orders the jobs that wait (README.md, "Turns"). Turns are counted
// in jobs: one of an owner of weight 1 costs one turn.
namespace server {

// Every so many jobs that a process begins one of bulk comes before those that are not.
inline constexpr std::uint64_t bulk_is_first_every = 8;

// How long the first job of a line may have waited before loaded models are no longer preferred.
inline constexpr double preference_ends_after_s = 5;

// How many waiting jobs a claim looks at behind owners who run as many as they may, before it goes
// from owner to owner.
inline constexpr int look_ahead = 64;

// How long a job that is put back because its worker died waits at most. It waits two seconds after
// the first attempt without progress, and twice as long after each further one.
inline constexpr int longest_wait_s = 60;

// Returns whether the next job that a process begins is one of bulk, if any waits, where it has
// begun so many.
bool is_turn_of_bulk(std::uint64_t begun);

// Returns by how much a job moves its owner's next turn on.
double cost_of_job(const JobLimits& limits, const std::string& owner);

}  // namespace server
