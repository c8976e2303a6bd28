#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "server/jobs/job.h"

namespace server {

namespace errc {
inline constexpr char claim_lost[] = "claim_lost";
// The jobs are in a database elsewhere, which does not answer.
inline constexpr char database_unavailable[] = "database_unavailable";
// It went away before it said whether what was asked for is done.
inline constexpr char answer_lost[] = "answer_lost";
}  // namespace errc

// Returns whether the database did not answer, or its answer was lost.
inline bool is_away(const Error& error) {
  return error.code == errc::database_unavailable || error.code == errc::answer_lost;
}

// What one run holds of a job. Every write of the run names it: the job's epoch grows whenever it
// is begun, put back or ended, so whoever had it before changes nothing any more.
struct Claim {
  std::int64_t number = 0;  // the job's
  std::int64_t epoch = 0;

  auto operator<=>(const Claim&) const = default;
};

// Returns the claim of whoever has begun this job and was given its row.
inline Claim claim_of(const Job& job) {
  return {job.number, job.epoch};
}

// Returns the error of a late write: the job has ended, waits again, or is another run's.
Error claim_lost();

// What the place that asks for a job would begin.
struct ClaimRequest {
  bool waited_for = false;  // one of the jobs for which a client waits, or one of the others
  int most_of_one = std::numeric_limits<int>::max();  // of this kind that one
                                                      // owner may have running
  // The models that need not be loaded: their jobs are preferred for a while (turn_rules.h).
  std::vector<std::string> loaded_models{};
};

}  // namespace server
