#include "server/jobs_postgres/queue_order.h"

#include <fmt/format.h>

#include "server/jobs/job_json.h"
#include "server/jobs_postgres/job_rows.h"

namespace server::postgres {
namespace {

// How many jobs of an owner {0} and of a kind {1} run, anywhere and on the node {2}. A live session
// takes no place of a job.
constexpr char load_of[] =
    "(SELECT count(*) AS running, count(*) FILTER (WHERE own.node = {2}) AS here FROM jobs AS own "
    "WHERE own.state = 1 AND own.owner = {0} AND (own.home = '') = {1} AND NOT own.live)";

// The turn of the owner's job that was begun last.
constexpr char last_turn[] =
    "coalesce((SELECT max(own.turn) FROM jobs AS own WHERE own.owner = {} AND own.turn > 0), 0)";

// Goes from owner to owner in the index of what waits, and reads the first of each: it costs with
// the owners, and not with the jobs. `turns` has them in their order, and is read row by row until
// one of them has a job that nobody else is about to begin: so only that job is locked. A job that
// another claim has locked is passed over. $1 is the home of the jobs that are wanted, $2 and $3
// are the claiming node and how many it may run of one owner.
std::string claim_sql() {
  return fmt::format(
      "WITH RECURSIVE owners (owner) AS ("
      "(SELECT own.owner FROM jobs AS own WHERE own.state = 0 AND own.home = $1 "
      "ORDER BY own.owner LIMIT 1) UNION ALL "
      "SELECT (SELECT own.owner FROM jobs AS own WHERE own.state = 0 AND own.home = $1 "
      "AND own.owner > owners.owner ORDER BY own.owner LIMIT 1) FROM owners "
      "WHERE owners.owner IS NOT NULL), "
      "turns AS (SELECT owners.owner, load.running, {turn} AS begun, "
      "(SELECT min(own.number) FROM jobs AS own WHERE own.state = 0 AND own.home = $1 "
      "AND own.owner = owners.owner) AS first FROM owners CROSS JOIN LATERAL {load} AS load "
      "WHERE owners.owner IS NOT NULL AND load.here < $3 ORDER BY running, begun, first), "
      "head AS MATERIALIZED (SELECT chosen.number FROM turns CROSS JOIN LATERAL ("
      "SELECT own.number FROM jobs AS own WHERE own.state = 0 AND own.home = $1 "
      "AND own.owner = turns.owner ORDER BY own.number LIMIT 1 FOR UPDATE SKIP LOCKED) AS chosen "
      "LIMIT 1) "
      "UPDATE jobs SET state = 1, node = $2, epoch = epoch + 1, attempts = attempts + 1, "
      "attempts_without_progress = attempts_without_progress + 1, started = scribed_now(), "
      "turn = nextval('turns') FROM head WHERE jobs.number = head.number RETURNING {columns}, "
      "jobs.options",
      fmt::arg("load", fmt::format(load_of, "owners.owner", "($1 = '')", "$2")),
      fmt::arg("turn", fmt::format(last_turn, "owners.owner")), fmt::arg("columns", job_columns));
}

}  // namespace

std::optional<Job> claim_next(Step& step, const Node& node, const ClaimRequest& request) {
  const auto rows = step.query(claim_sql(), request.waited_for ? node.name : "", node.number,
                               request.most_of_one);
  auto job = read_first(rows);
  if (!job) return std::nullopt;
  if (auto options = decode_options(rows[0].text("options"))) {
    job->request.options = *std::move(options);
  }
  return job;
}

// The order is that of claim_next(), if nothing that runs ends meanwhile: when the n-th waiting job
// of an owner is begun, n - 1 more of the owner's jobs run, and they were begun later than any that
// runs now.
std::vector<std::string> waiting_jobs(Step& step) {
  const auto rows = step.query(fmt::format(
      "WITH waiting AS (SELECT id, owner, home = '' AS is_detached, "
      "row_number() OVER each AS nth, first_value(number) OVER each AS first FROM jobs "
      "WHERE state = 0 WINDOW each AS (PARTITION BY owner, home = '' ORDER BY number)), "
      "owners AS MATERIALIZED (SELECT DISTINCT owner, is_detached FROM waiting), "
      "turns AS MATERIALIZED (SELECT owner, is_detached, load.running, {} AS begun FROM owners "
      "CROSS JOIN LATERAL {} AS load) "
      "SELECT id FROM waiting JOIN turns USING (owner, is_detached) "
      "ORDER BY is_detached, running + nth, nth, begun, first",
      fmt::format(last_turn, "owners.owner"),
      fmt::format(load_of, "owners.owner", "owners.is_detached", "0")));
  std::vector<std::string> ids;
  for (int i = 0; i < rows.size(); ++i) ids.push_back(rows[i].text("id"));
  return ids;
}

}  // namespace server::postgres
