#include "server/jobs_postgres/nodes.h"

#include <fmt/format.h>

#include "server/jobs/job_end.h"
#include "server/jobs/job_json.h"

namespace server::postgres {
namespace {

constexpr double forgotten_after_s = 86'400;  // nodes whose lease has ended

constexpr char lives[] = "node.lease_until > scribed_now()";

// The jobs of `condition` that no other sweep or write holds at the moment; those wait for the next
// sweep.
std::string lost_jobs(const std::string& condition) {
  return fmt::format(
      "WITH lost AS MATERIALIZED (SELECT number FROM jobs WHERE {} "
      "ORDER BY number FOR UPDATE SKIP LOCKED) ",
      condition);
}

// Runs on a node that is dead.
std::string runs_nowhere() {
  return fmt::format(
      "state = 1 AND NOT EXISTS (SELECT 1 FROM nodes AS node "
      "WHERE node.node = jobs.node AND {})",
      lives);
}

// Has a client on a node that is dead.
std::string is_abandoned() {
  return fmt::format(
      "state <= 1 AND home <> '' AND NOT EXISTS (SELECT 1 FROM nodes AS node "
      "WHERE node.name = jobs.home AND {})",
      lives);
}

// Ends jobs of a condition, whose parameters begin at $5, and returns how many.
template <class... Values>
int end_jobs(Step& step, int by, double keep_s, const std::string& condition, JobState state,
             const Parameter& error, const Values&... values) {
  return step
      .query(lost_jobs(condition) +
                 "UPDATE jobs SET state = $1, node = NULL, ended_by = $2, epoch = epoch + 1, "
                 "finished = scribed_now(), expires = CASE WHEN pinned THEN 0 ELSE scribed_now() + "
                 "CASE WHEN keep_s > 0 THEN keep_s ELSE $3 END END, error = $4, options = NULL "
                 "FROM lost WHERE jobs.number = lost.number",
             static_cast<int>(state), by, keep_s, error, values...)
      .affected();
}

}  // namespace

int begin_node(Step& step, const std::string& name, double lease_s) {
  const auto rows = step.query(
      "INSERT INTO nodes (name, started, lease_until) "
      "VALUES ($1, scribed_now(), scribed_now() + $2) RETURNING node",
      name, lease_s);
  return static_cast<int>(rows[0].integer("node"));
}

bool renew_lease(Step& step, int node, double lease_s) {
  return step.query(
                 "UPDATE nodes SET lease_until = scribed_now() + $2 "
                 "WHERE node = $1 AND lease_until > scribed_now()",
                 node, lease_s)
             .affected() > 0;
}

void end_lease(Step& step, int node) {
  step.query("UPDATE nodes SET lease_until = least(lease_until, scribed_now()) WHERE node = $1",
             node);
}

void end_earlier_leases(Step& step, const Node& node) {
  step.query(
      "UPDATE nodes SET lease_until = least(lease_until, scribed_now()) "
      "WHERE name = $1 AND node <> $2",
      node.name, node.number);
}

int sweep(Step& step, int by, const SweepSettings& settings) {
  const double keep_s = settings.keep_s;
  end_jobs(step, by, keep_s, is_abandoned(), JobState::cancelled, encode(abandoned()));
  end_jobs(step, by, keep_s, "live AND " + runs_nowhere(), JobState::done, std::nullopt);
  const int failed =
      end_jobs(step, by, keep_s, "attempts_without_progress >= $5 AND " + runs_nowhere(),
               JobState::failed, encode(worn_out(settings.max_attempts)), settings.max_attempts);
  const int waiting = step.query(lost_jobs(runs_nowhere()) +
                                 "UPDATE jobs SET state = 0, node = NULL, epoch = epoch + 1 "
                                 "FROM lost WHERE jobs.number = lost.number")
                          .affected();
  step.query("DELETE FROM nodes WHERE lease_until < scribed_now() - $1", forgotten_after_s);
  return failed + waiting;
}

}  // namespace server::postgres
