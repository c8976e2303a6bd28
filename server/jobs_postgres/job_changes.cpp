#include "server/jobs_postgres/job_changes.h"

#include <fmt/format.h>

#include "server/jobs/job_json.h"
#include "server/jobs/speaker_rename.h"
#include "server/jobs_postgres/expiry.h"
#include "server/jobs_postgres/find_jobs.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/owner_use.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/turns.h"

namespace server::postgres {
namespace {

Result<void> check_pinned(Step& step, const std::string& owner, std::int64_t most) {
  const auto pinned =
      step.query("SELECT count(*) AS count FROM jobs WHERE owner = $1 AND pinned", owner);
  if (pinned[0].integer("count") < most) return {};
  return too_many_pinned(most);
}

}  // namespace

void write_detached(Step& step, const std::string& id) {
  const auto rows = step.query(
      "SELECT number, owner, cost, request, state FROM jobs WHERE id = $1 AND home <> '' "
      "FOR UPDATE",
      id);
  if (rows.empty()) return;
  const auto request = decode_request(rows[0].text("request"));
  const std::string place = request && request->bulk ? in_bulk : for_anybody;
  const std::int64_t number = rows[0].integer("number");
  const bool waits = rows[0].integer("state") == static_cast<int>(JobState::queued);
  if (waits) give_turn_back(step, number);
  // One that runs has had a turn in its old line, and is put back where its new one stands.
  const double turn = waits ? take_turn(step, place, rows[0].text("owner"), rows[0].real("cost"))
                            : turn_reached(step, place);
  step.query("UPDATE jobs SET home = '', place = $2, turn = $3 WHERE number = $1", number, place,
             turn);
}

Result<Job> job_to_change(Step& step, const std::string& id, const std::string& owner) {
  auto job = read_first(
      step.query(fmt::format("SELECT {} FROM jobs WHERE id = $1 AND owner = $2 FOR NO KEY UPDATE",
                             job_columns),
                 id, owner));
  if (!job) return job_not_found(id);
  if (!job->request.detached) write_detached(step, id);
  job->request.detached = true;
  return *std::move(job);
}

void remove_job(Step& step, const std::string& id) {
  step.query("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE NOWAIT", id);
  step.query("DELETE FROM jobs WHERE id = $1", id);
}

Result<Job> change_job(Step& step, const PostgresStoreSettings& settings, const JobOfOwner& whose,
                       const JobChange& change) {
  // First, as submit() does it: nobody else pins a job meanwhile.
  if (change.pinned.value_or(false)) lock_owner(step, whose.owner);
  const auto job = job_to_change(step, whose.id, whose.owner);
  if (!job) return job.error();
  if (change.pinned.value_or(false) && !job->pinned) {
    const auto fits = check_pinned(step, whose.owner, settings.max_pinned_per_owner);
    if (!fits) return fits.error();
  }
  if (change.speaker_names) {
    const auto names = changed_names(*job, *change.speaker_names);
    if (!names) return names.error();
    step.query("UPDATE jobs SET speaker_names = $2 WHERE number = $1", job->number, encode(*names));
  }
  if (change.title) {
    step.query("UPDATE jobs SET title = $2 WHERE number = $1", job->number, *change.title);
  }
  if (change.pinned) {
    step.query("UPDATE jobs SET pinned = $2 WHERE number = $1", job->number, *change.pinned);
  }
  if (change.is_work()) step.query("UPDATE jobs SET kept = true WHERE number = $1", job->number);
  // Unpinned, a job is kept for its whole time again.
  step.query(
      fmt::format("UPDATE jobs SET expires = {} WHERE number = $1 AND finished > 0", expiry("$2")),
      job->number, settings.keep_s);
  auto changed = find_job(step, whose.id, whose.owner);
  if (change.title || change.speaker_names) write_found_by(step, *changed);
  return *std::move(changed);
}

void write_names(Step& step, const std::string& id, const protocol::SpeakerNames& names) {
  const auto job = read_first(step.query(
      fmt::format("UPDATE jobs SET speaker_names = $2, kept = true, expires = 0 WHERE id = $1 "
                  "RETURNING {}",
                  job_columns),
      id, encode(names)));
  if (job) write_found_by(step, *job);
}

}  // namespace server::postgres
