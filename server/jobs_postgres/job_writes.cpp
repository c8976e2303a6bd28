#include "server/jobs_postgres/job_writes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/base/random_id.h"
#include "server/jobs/job_end.h"
#include "server/jobs/job_json.h"
#include "server/jobs/turn_rules.h"
#include "server/jobs_postgres/database_text.h"
#include "server/jobs_postgres/expiry.h"
#include "server/jobs_postgres/find_jobs.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/owner_use.h"
#include "server/jobs_postgres/stored_bytes.h"
#include "server/jobs_postgres/turns.h"

namespace server::postgres {
namespace {

int code_of(JobState state) {
  return static_cast<int>(state);
}

// Number and epoch are the fence; a job that nobody runs has no node, and is nobody's to write.
constexpr char is_claims[] = "jobs.number = $1 AND epoch = $2 AND node IS NOT NULL";

// Returns the column `place` of a new job (schema.cpp).
std::string place_of(const Node& node, const JobRequest& request) {
  if (request.detached) return request.bulk ? in_bulk : for_anybody;
  return node.only_accepts ? anywhere : node.name;
}

}  // namespace

namespace {

// Writes a new job, and returns it as it was written. A live one runs at once, on this node. The
// limits say what it costs its owner.
Job write_new_job(Step& step, const Node& node, JobRequest wanted, const JobLimits& limits) {
  Job job{.id = random_id(), .request = std::move(wanted)};
  const JobRequest& request = job.request;
  const bool live = request.live;
  const Parameter key =
      request.idempotency_key.empty() ? Parameter() : database_key(request.idempotency_key);
  const std::string place = place_of(node, request);
  const double cost = cost_of_job(limits, request.owner);
  const double turn = live ? 0 : take_turn(step, place, request.owner, cost);
  const auto made = step.query(
      "INSERT INTO jobs (id, owner, key, state, home, place, node, epoch, request, options, model, "
      "live, webhook, attempts, created, started, keep_s, turn, cost, found_by) VALUES ($1, $2, "
      "$3, $4, $5, $14, $6, "
      "$7::int, $8, $9, $10, $11, $12, $7::int, scribed_now(), CASE WHEN $11 THEN scribed_now() "
      "ELSE 0 END, $13, $15, $16, $17) RETURNING number, created",
      job.id, request.owner, key, code_of(live ? JobState::running : JobState::queued),
      request.detached ? "" : node.name,
      live ? Parameter(std::to_string(node.number)) : Parameter(), live ? 1 : 0, encode(request),
      encode(request.options), request.model, live, !request.webhook.empty(),
      request.keep_results_s.value_or(0), place, turn, cost, found_by(job, {}));
  job.number = made[0].integer("number");
  job.created = made[0].real("created");
  job.client_is_elsewhere = place == anywhere;
  if (live) {
    job.state = JobState::running;
    job.epoch = job.attempts = 1;
    job.started = job.created;
  }
  return job;
}

}  // namespace

Result<Job> submit_job(Step& step, const Node& node, const JobRequest& request,
                       const JobLimits& limits) {
  lock_owner(step, request.owner);
  if (auto known = find_by_key(step, request.owner, request.idempotency_key)) {
    if (known->request.fingerprint == request.fingerprint) return *std::move(known);
    return key_reused();
  }
  const auto fits =
      check_limits(queue_use(step, request.owner, limits), request.owner, request.live, limits);
  if (!fits) return fits.error();
  return write_new_job(step, node, request, limits);
}

std::optional<Job> find_claimed(Step& step, const Claim& claim) {
  return read_first(
      step.query(fmt::format("SELECT {} FROM jobs WHERE {} FOR UPDATE", job_columns, is_claims),
                 claim.number, claim.epoch));
}

std::optional<Job> find_open(Step& step, const std::string& id,
                             const std::optional<std::string>& owner) {
  return read_first(
      step.query(fmt::format("SELECT {} FROM jobs WHERE id = $1 AND ($2::text IS NULL OR owner = "
                             "$2) AND finished = 0 FOR UPDATE",
                             job_columns),
                 id, owner));
}

void append_segments(Step& step, const Job& job, std::span<const protocol::Segment> segments) {
  const auto bytes = write_segments(step, job.number, job.segments, segments);
  const bool progresses =
      std::ranges::any_of(segments, [](const auto& one) { return one.end > one.start; });
  step.query(fmt::format("UPDATE jobs SET text_bytes = {}, segments = segments + $3, "
                         "attempts_without_progress = CASE WHEN $4 THEN 0 ELSE "
                         "attempts_without_progress END WHERE number = $1",
                         grown_text_bytes),
             job.number, bytes, segments.size(), progresses);
  const bool names_someone =
      std::ranges::any_of(segments, [](const auto& one) { return !one.speaker.empty(); });
  if (names_someone) write_found_by(step, job);
}

bool write_progress(Step& step, const Claim& claim, const RunProgress& progress) {
  return step.query(fmt::format("UPDATE jobs SET position = greatest(position, $3), duration = "
                                "greatest(duration, $4), language = $5 WHERE {}",
                                is_claims),
                    claim.number, claim.epoch, progress.position, progress.duration,
                    progress.language)
             .affected() > 0;
}

bool write_return(Step& step, const Claim& claim, bool counts) {
  return step.query(fmt::format("UPDATE jobs SET state = 0, node = NULL, epoch = epoch + 1, "
                                "not_before = CASE WHEN $3 = 0 THEN scribed_now() + least($4::int, "
                                "1 << least(attempts_without_progress, 8)) ELSE not_before END, "
                                "attempts = attempts - $3, attempts_without_progress = "
                                "greatest(0, attempts_without_progress - $3) WHERE {}",
                                is_claims),
                    claim.number, claim.epoch, counts ? 0 : 1, longest_wait_s)
             .affected() > 0;
}

Job write_end(Step& step, const Node& node, const Job& open, const JobEnd& wanted, double keep_s) {
  const JobEnd end = stored_end(open, wanted);
  if (open.state == JobState::queued) give_turn_back(step, open.number);
  const auto rows = step.query(
      fmt::format("UPDATE jobs SET state = $2, node = NULL, ended_by = $3, epoch = epoch + 1, "
                  "finished = scribed_now(), expires = {}, error = $5, summary = $6, "
                  "duration = greatest(duration, $7), language = coalesce(nullif($8, ''), "
                  "language), options = NULL WHERE number = $1 RETURNING {}",
                  expiry("$4"), job_columns),
      open.number, code_of(end.state), node.number, keep_s,
      end.error ? Parameter(encode(*end.error)) : Parameter(), encode(end.summary),
      end.summary.duration, end.summary.language);
  Job job = read_first(rows).value_or(open);
  const bool has_turns = !end.exclusive_turns.empty();
  if (has_turns) job.segments = name_stored_speakers(step, job, end.exclusive_turns);
  if (has_turns || !end.summary.turns.empty()) write_found_by(step, job);
  return job;
}

}  // namespace server::postgres
