#include "server/jobs_postgres/store_upkeep.h"

#include <fmt/format.h>

#include "server/jobs/job_json.h"
#include "server/jobs_postgres/expiry.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/nodes.h"
#include "server/jobs_postgres/owner_use.h"
#include "server/jobs_postgres/stored_bytes.h"
#include "server/jobs_postgres/turns.h"

namespace server::postgres {

namespace {

// The most rows that one transaction removes, with their texts: others wait for it meanwhile.
constexpr int most_at_once = 200;

// How often it is looked whether an owner has too many ended jobs.
constexpr std::chrono::hours count_interval{1};

// The planner knows how many rows a time concerns where that is a parameter.
double time_now(Step& step) {
  return step.query("SELECT scribed_now() AS now")[0].real("now");
}

// Jobs of a time in which none expired get their time to live from now on.
void give_expiry(Step& step, double keep_s) {
  if (keep_s <= 0) return;
  step.query(
      "WITH endless AS MATERIALIZED (SELECT number FROM jobs WHERE expires = 0 AND finished > 0 "
      "AND NOT pinned AND NOT kept AND keep_s = 0 LIMIT $2 FOR UPDATE SKIP LOCKED) "
      "UPDATE jobs SET expires = scribed_now() + $1::float8 FROM endless "
      "WHERE jobs.number = endless.number",
      keep_s, most_at_once);
}

}  // namespace

// What another node removes or changes at the same moment is left to it, so that no two wait for
// each other. `expires` and `expires - keep_s` have an index each.
int remove_old_jobs(Step& step, const PostgresStoreSettings& settings) {
  const double now = time_now(step);
  step.query(
      "WITH wrong AS MATERIALIZED (SELECT number FROM jobs WHERE expires > 0 AND "
      "(keep_s = 0 AND home = '' AND expires > $1::float8 + $2::float8 OR "
      "keep_s = 0 AND home <> '' AND expires > $1 + $4::float8 OR "
      "keep_s > 0 AND expires - keep_s > $1) LIMIT $3 FOR UPDATE SKIP LOCKED) "
      "UPDATE jobs SET expires = " +
          expiry("$2") + " FROM wrong WHERE jobs.number = wrong.number",
      now, settings.keep_s, most_at_once, waited_keep_s);
  give_expiry(step, settings.keep_s);
  const int expired =
      step.query(
              "WITH old AS MATERIALIZED (SELECT number FROM jobs WHERE expires > 0 AND "
              "expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) "
              "DELETE FROM jobs USING old WHERE jobs.number = old.number",
              now, most_at_once)
          .affected();
  forget_past_days(step);
  forget_past_turns(step);
  put_stored_together(step);
  return expired;
}

// Counting reads all jobs of all owners.
bool ExcessJobs::is_due() const {
  return !over_.empty() || std::chrono::steady_clock::now() >= next_count_;
}

int ExcessJobs::remove(Step& step, int node, const PostgresStoreSettings& settings) {
  if (over_.empty()) {
    if (is_among_eldest(step, node, settings.lease_s)) count(step, settings.max_kept_per_owner);
    next_count_ = std::chrono::steady_clock::now() + count_interval;
  }
  for (; !over_.empty(); over_.pop_back()) {
    const auto& [owner, last] = over_.back();
    const int removed =
        step.query(
                "WITH old AS MATERIALIZED (SELECT number FROM jobs WHERE owner = $1 "
                "AND number <= $2 AND finished > 0 AND NOT pinned AND NOT kept "
                "ORDER BY number LIMIT $3 "
                "FOR UPDATE SKIP LOCKED) "
                "DELETE FROM jobs USING old WHERE jobs.number = old.number",
                owner, last, most_at_once)
            .affected();
    if (removed > 0) return removed;
  }
  return 0;
}

void ExcessJobs::count(Step& step, std::int64_t most) {
  const auto rows = step.query(
      "SELECT owner, last FROM (SELECT owner, (SELECT number FROM jobs WHERE jobs.owner = "
      "many.owner AND finished > 0 AND NOT pinned AND NOT kept "
      "ORDER BY number DESC OFFSET $1 LIMIT 1) AS last "
      "FROM (SELECT owner FROM jobs GROUP BY owner HAVING count(*) > $1) AS many) AS over "
      "WHERE last IS NOT NULL",
      most);
  for (int i = 0; i < rows.size(); ++i) {
    over_.emplace_back(rows[i].text("owner"), rows[i].integer("last"));
  }
}

bool write_sound(Step& step, const std::string& id, std::uint64_t bytes) {
  return step.query("UPDATE jobs SET sound_bytes = $2 WHERE id = $1", id, bytes).affected() > 0;
}

std::vector<std::string> take_sounds_left(Step& step, int most) {
  const auto rows = step.query(
      "WITH taken AS MATERIALIZED (SELECT job FROM sounds_left LIMIT $1 FOR UPDATE SKIP LOCKED) "
      "DELETE FROM sounds_left USING taken WHERE sounds_left.job = taken.job "
      "RETURNING sounds_left.job",
      most);
  std::vector<std::string> jobs;
  for (int i = 0; i < rows.size(); ++i) jobs.push_back(rows[i].text("job"));
  return jobs;
}

std::vector<KeptInput> kept_inputs(Step& step) {
  const auto rows = step.query("SELECT request FROM jobs WHERE state <= 1");
  std::vector<KeptInput> found;
  for (int i = 0; i < rows.size(); ++i) {
    const auto request = decode_request(rows[i].text("request"));
    if (request && request->input_is_ours) found.push_back({request->input, request->owner});
  }
  return found;
}

std::vector<Job> undelivered_jobs(Step& step, const std::string& node) {
  std::string columns(job_columns);
  columns.replace(0, std::string_view("jobs.number").size(), "number");
  return read_all(
      step.query(fmt::format("SELECT {} FROM (SELECT *, row_number() OVER (PARTITION BY owner "
                             "ORDER BY number) AS nth FROM jobs WHERE webhook AND NOT delivered "
                             "AND finished > 0 AND NOT EXISTS (SELECT 1 FROM nodes AS other "
                             "WHERE other.node = jobs.ended_by AND other.name <> $1 "
                             "AND other.lease_until > scribed_now())) AS ended "
                             "ORDER BY nth, number LIMIT 1000",
                             columns),
                 node));
}

}  // namespace server::postgres
