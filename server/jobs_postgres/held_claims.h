#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

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
  void add(const Claim& claim) { held_.insert(claim.number); }
  // The job has ended, waits again, or is another's.
  void remove(std::int64_t number);

  void doubt_claim() { is_claim_in_doubt_ = true; }
  // Before a claim: puts back what an earlier claim may have begun and nobody runs. Throws Failure.
  void settle_claims(Step& step, const Node& node) const;
  void settled_claims() { is_claim_in_doubt_ = false; }

  // So many segments were to be written behind `before` others.
  void doubt_segments(const Claim& claim, int before, std::size_t count);
  // Returns those of the segments that are still to be written: a repeated call brings those of the
  // call in doubt once more, and others behind them.
  std::span<const protocol::Segment> still_to_write(
      const Job& job, std::span<const protocol::Segment> segments) const;
  void settled_segments(const Claim& claim) { segments_.erase(claim.number); }

  void doubt_end(const Claim& claim) { ends_.insert({claim.number, claim.epoch}); }
  // Returns the job as it ended, if it did so in a call in doubt. Throws Failure.
  std::optional<Job> ended(Step& step, const Claim& claim) const;

 private:
  struct Segments {
    int before = 0;
    std::size_t count = 0;
  };

  std::set<std::int64_t> held_{};
  bool is_claim_in_doubt_ = false;
  std::map<std::int64_t, Segments> segments_{};
  std::set<std::pair<std::int64_t, std::int64_t>> ends_{};
};

}  // namespace server::postgres
