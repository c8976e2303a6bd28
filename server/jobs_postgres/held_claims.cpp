#include "server/jobs_postgres/held_claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "server/jobs_postgres/job_rows.h"

namespace server::postgres {

void HeldClaims::remove(std::int64_t number) {
  held_.erase(number);
  segments_.erase(number);
  std::erase_if(ends_, [&](const auto& one) { return one.first == number; });
}

void HeldClaims::settle_claims(Step& step, const Node& node) const {
  if (!is_claim_in_doubt_) return;
  step.query(
      "UPDATE jobs SET state = 0, node = NULL, epoch = epoch + 1, attempts = attempts - 1, "
      "attempts_without_progress = greatest(0, attempts_without_progress - 1) "
      "WHERE state = 1 AND node = $1 AND NOT live AND number <> ALL ($2::bigint[])",
      node.number, fmt::format("{{{}}}", fmt::join(held_, ",")));
}

void HeldClaims::doubt_segments(const Claim& claim, int before, std::size_t count) {
  segments_[claim.number] = {before, count};
}

std::span<const protocol::Segment> HeldClaims::still_to_write(
    const Job& job, std::span<const protocol::Segment> segments) const {
  const auto doubt = segments_.find(job.number);
  if (doubt == segments_.end()) return segments;
  const auto& [before, count] = doubt->second;
  if (job.segments == before) return segments;
  return segments.subspan(std::min(count, segments.size()));
}

std::optional<Job> HeldClaims::ended(Step& step, const Claim& claim) const {
  if (!ends_.contains({claim.number, claim.epoch})) return std::nullopt;
  return read_first(
      step.query(fmt::format("SELECT {} FROM jobs WHERE jobs.number = $1 AND epoch = $2 + 1 "
                             "AND state IN (2, 3)",
                             job_columns),
                 claim.number, claim.epoch));
}

}  // namespace server::postgres
