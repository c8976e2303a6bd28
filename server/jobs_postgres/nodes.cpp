#include "server/jobs_postgres/nodes.h"

#include <fmt/format.h>

#include "server/jobs/job_end.h"
#include "server/jobs/job_json.h"
#include "server/jobs_postgres/expiry.h"
#include "server/jobs_postgres/news_line.h"
#include "server/jobs_postgres/turns.h"

namespace server::postgres {
namespace {

constexpr double forgotten_after_s = 86'400;  // nodes whose lease has ended

constexpr char lives[] = "node.lease_until > scribed_now()";

// The node $1, whose lease is $2 seconds, is one of the four eldest that live. One whose lease
// lasts for much longer has it from a clock that was set back since, and may be dead.
std::string is_eldest() {
  return fmt::format(
      "(SELECT count(*) FROM (SELECT 1 FROM nodes AS node WHERE node.node < $1 AND {} "
      "AND node.lease_until <= scribed_now() + 2 * $2::float8 LIMIT 4) AS elder) < 4",
      lives);
}

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

// Runs, or waits for a client, at a daemon that now has started again as the node {}.
constexpr char ran_before[] =
    "state = 1 AND node <> {0} AND node IN (SELECT node FROM nodes "
    "WHERE name = (SELECT name FROM nodes WHERE node = {0}))";
constexpr char waited_before[] =
    "state <= 1 AND home <> '' AND home = (SELECT name FROM nodes WHERE node = {})";

// Ends jobs of a condition, whose parameters begin at $5, and returns how many.
template <class... Values>
int end_jobs(Step& step, int by, double keep_s, const std::string& condition, JobState state,
             const Parameter& error, const Values&... values) {
  return step
      .query(lost_jobs(condition) +
                 "UPDATE jobs SET state = $1, node = NULL, ended_by = $2, epoch = epoch + 1, "
                 "finished = scribed_now(), expires = " +
                 expiry("$3") +
                 ", error = $4, options = NULL FROM lost WHERE jobs.number = lost.number",
             static_cast<int>(state), by, keep_s, error, values...)
      .affected();
}

// Does what sweep() says with jobs of these conditions.
int go_on_without(Step& step, int by, const SweepSettings& settings, const std::string& waited,
                  const std::string& runs) {
  const double keep_s = settings.keep_s;
  give_turns_back(step, waited);
  end_jobs(step, by, keep_s, waited, JobState::cancelled, encode(abandoned()));
  end_jobs(step, by, keep_s, "live AND " + runs, JobState::done, std::nullopt);
  const int failed =
      end_jobs(step, by, keep_s, "attempts >= $5 AND attempts_without_progress > 0 AND " + runs,
               JobState::failed, encode(worn_out(settings.max_begins)), settings.max_begins);
  const int waiting =
      step.query(lost_jobs(runs) +
                 "UPDATE jobs SET state = 0, node = NULL, epoch = epoch + 1, "
                 "attempts_without_progress = greatest(0, attempts_without_progress - 1) "
                 "FROM lost WHERE jobs.number = lost.number")
          .affected();
  if (waiting > 0) tell_of_work(step);
  return failed + waiting;
}

// Ends the leases of earlier starts with this name.
void end_earlier_leases(Step& step, const Node& node) {
  step.query(
      "UPDATE nodes SET lease_until = least(lease_until, scribed_now()) "
      "WHERE name = $1 AND node <> $2",
      node.name, node.number);
}

}  // namespace

int begin_node(Step& step, const std::string& name, double lease_s) {
  const auto rows = step.query(
      "INSERT INTO nodes (name, started, lease_until) "
      "VALUES ($1, scribed_now(), scribed_now() + $2) RETURNING node",
      name, lease_s);
  add_line(step, name);
  return static_cast<int>(rows[0].integer("node"));
}

// A lease is renewed three times as often as it ends, so that two thirds of it are left where no
// renewal was missed. `started` is when the unbroken row of renewals began.
std::optional<Renewal> renew_lease(Step& step, int node, double lease_s) {
  const auto rows = step.query(
      fmt::format("UPDATE nodes SET lease_until = scribed_now() + $2, started = CASE WHEN "
                  "lease_until - scribed_now() > $2 / 2 THEN started ELSE scribed_now() END "
                  "WHERE node = $1 RETURNING started + $2 <= scribed_now() AND {} AS may_sweep",
                  is_eldest()),
      node, lease_s);
  if (rows.empty()) return std::nullopt;
  return Renewal{.may_sweep = rows[0].flag("may_sweep")};
}

bool is_among_eldest(Step& step, int node, double lease_s) {
  const auto rows = step.query(fmt::format("SELECT {} AS is_one", is_eldest()), node, lease_s);
  return rows[0].flag("is_one");
}

void end_lease(Step& step, int node) {
  step.query("UPDATE nodes SET lease_until = least(lease_until, scribed_now()) WHERE node = $1",
             node);
}

int sweep(Step& step, int by, const SweepSettings& settings) {
  const int found = go_on_without(step, by, settings, is_abandoned(), runs_nowhere());
  step.query("DELETE FROM nodes WHERE lease_until < scribed_now() - $1", forgotten_after_s);
  return found;
}

int take_back(Step& step, const Node& node, const SweepSettings& settings) {
  end_earlier_leases(step, node);
  return go_on_without(step, node.number, settings, fmt::format(waited_before, node.number),
                       fmt::format(ran_before, node.number));
}

}  // namespace server::postgres
