#include "server/jobs_postgres/writes_of_runs.h"

#include <algorithm>
#include <numeric>

#include "server/jobs_postgres/job_writes.h"

namespace server::postgres {

// All daemons lock rows in one order, so that two of which one has lost its jobs to the other do
// not each wait for the other.
WritesOfRuns::WritesOfRuns(HeldClaims& held, std::span<const RunWrite> writes)
    : held_(held), writes_(writes), order_(writes.size()), written_(writes.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return writes_[i].claim.number; });
}

void WritesOfRuns::write(Step& step) {
  for (const std::size_t i : order_) written_[i] = write_one(step, writes_[i]);
}

WritesOfRuns::Written WritesOfRuns::write_one(Step& step, const RunWrite& write) const {
  Written written;
  if (!write.segments.empty()) {
    const auto job = find_claimed(step, write.claim);
    if (!job) return {claim_lost()};
    written.segments_before = job->segments;
    append_segments(step, *job, held_.still_to_write(*job, write.segments));
  }
  const bool is_set = !write.progress || write_progress(step, write.claim, *write.progress);
  if (!is_set) written.answer = claim_lost();
  return written;
}

void WritesOfRuns::doubt() {
  for (const std::size_t i : order_) {
    if (writes_[i].segments.empty() || !written_[i].answer) continue;
    held_.doubt_segments(writes_[i].claim, written_[i].segments_before);
  }
}

std::vector<Result<void>> WritesOfRuns::answers(const Result<void>& done) {
  std::vector<Result<void>> answers;
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    answers.push_back(done ? written_[i].answer : done);
    const Claim& claim = writes_[i].claim;
    if (answers.back() && !writes_[i].segments.empty()) held_.settled_segments(claim);
    if (!answers.back() && answers.back().error().code == errc::claim_lost) held_.remove(claim);
  }
  return answers;
}

}  // namespace server::postgres
