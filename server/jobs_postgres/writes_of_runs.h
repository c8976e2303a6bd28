#pragma once

#include <span>
#include <vector>

#include "server/jobs/run_write.h"
#include "server/jobs_postgres/held_claims.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// What several runs write in one transaction: see JobStore::write_runs().
class WritesOfRuns {
 public:
  // Both outlive this object.
  WritesOfRuns(HeldClaims& held, std::span<const RunWrite> writes);

  // Writes for all runs; may be called again, from the beginning. Throws Failure.
  void write(Step& step);
  // Nobody knows whether the transaction was committed.
  void doubt();
  // `done` tells what became of the transaction. Returns what each run is told.
  std::vector<Result<void>> answers(const Result<void>& done);

 private:
  struct Written {
    Result<void> answer{};
    int segments_before = 0;
  };

  Written write_one(Step& step, const RunWrite& write) const;

  HeldClaims& held_;
  std::span<const RunWrite> writes_;
  std::vector<std::size_t> order_{};  // by the number of the job
  std::vector<Written> written_;
};

}  // namespace server::postgres
