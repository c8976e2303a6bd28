#include "server/jobs_postgres/held_claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "server/jobs_postgres/job_rows.h"

namespace server::postgres {

void HeldClaims::remove(const Claim& claim) {
  held_.erase(claim);
  segments_.erase(claim);
  ends_.erase(claim);
}

void HeldClaims::settle_claims(Step& step, const Node& node) const {
  if (!is_claim_in_doubt_) return;
  std::vector<std::int64_t> numbers;
  for (const Claim& claim : held_) numbers.push_back(claim.number);
  const std::string held = fmt::format("{{{}}}", fmt::join(numbers, ","));
  step.query(
      "UPDATE jobs SET state = 0, node = NULL, epoch = epoch + 1, attempts = attempts - 1, "
      "attempts_without_progress = greatest(0, attempts_without_progress - 1) "
      "WHERE state = 1 AND node = $1 AND NOT live AND number <> ALL ($2::bigint[])",
      node.number, held);
  step.query(
      "DELETE FROM jobs WHERE state = 1 AND node = $1 AND live AND number <> ALL ($2::bigint[])",
      node.number, held);
}

std::span<const protocol::Segment> HeldClaims::still_to_write(
    const Job& job, std::span<const protocol::Segment> segments) const {
  const auto doubt = segments_.find(claim_of(job));
  if (doubt == segments_.end()) return segments;
  const auto written = static_cast<std::size_t>(std::max(0, job.segments - doubt->second));
  return segments.subspan(std::min(written, segments.size()));
}

std::optional<Job> HeldClaims::ended(Step& step, const Claim& claim) const {
  if (!ends_.contains(claim)) return std::nullopt;
  return read_first(
      step.query(fmt::format("SELECT {} FROM jobs WHERE jobs.number = $1 AND epoch = $2 + 1 "
                             "AND state IN (2, 3)",
                             job_columns),
                 claim.number, claim.epoch));
}

}  // namespace server::postgres
