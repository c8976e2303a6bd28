#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>

#include "server/jobs/claim.h"
#include "server/jobs/job_store.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// What this process has claimed, and which of its commits it has heard no answer of. What was done
// then is found out at the next call, so that no job runs nowhere, no segment is written twice and
// no end is taken for lost. One thread uses it.
class HeldClaims {
 public:
  void add(const Claim& claim) { held_.insert(claim); }
  // The job has ended, waits again, or is another's.
  void remove(const Claim& claim);

  // A claim, or the submit of a live job.
  void doubt_claim() { is_claim_in_doubt_ = true; }
  // Before a claim: puts back what an earlier one may have begun and nobody runs, and removes live
  // jobs that nobody was told of. Throws Failure.
  void settle_claims(Step& step, const Node& node) const;
  void settled_claims() { is_claim_in_doubt_ = false; }

  // Segments were to be written behind `before` others. Until a call succeeds, each brings them
  // once more, and others behind them: so the number of the first call in doubt stays.
  void doubt_segments(const Claim& claim, int before) { segments_.try_emplace(claim, before); }
  // Returns those of the segments that are still to be written.
  std::span<const protocol::Segment> still_to_write(
      const Job& job, std::span<const protocol::Segment> segments) const;
  void settled_segments(const Claim& claim) { segments_.erase(claim); }

  void doubt_end(const Claim& claim) { ends_.insert(claim); }
  bool is_end_in_doubt(const Claim& claim) const { return ends_.contains(claim); }
  // Returns the job as it ended, if it did so in a call in doubt. Throws Failure.
  std::optional<Job> ended(Step& step, const Claim& claim) const;

 private:
  std::set<Claim> held_{};
  bool is_claim_in_doubt_ = false;
  std::map<Claim, int> segments_{};
  std::set<Claim> ends_{};
};

}  // namespace server::postgres
