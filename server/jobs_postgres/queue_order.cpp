#include "server/jobs_postgres/queue_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/jobs/job_json.h"
#include "server/jobs/turn_rules.h"
#include "server/jobs_postgres/job_rows.h"

namespace server::postgres {
namespace {

// Parameters of all claims: $1 is the place of the jobs that are wanted, $2 the claiming node, $3
// the owners who run as many there as they may. The time is read once. Every look has a limit, by
// which the planner sees that an index is quicker than a sort.
constexpr char may_begin[] =
    "own.state = 0 AND own.place = $1 AND own.not_before <= (SELECT scribed_now())";
constexpr char owner_may_begin[] = "($3::text[] IS NULL OR {}.owner <> ALL ($3::text[]))";

// The first job of the line that nobody else is about to begin, whoever's it is.
std::string first_job() {
  return fmt::format(
      "SELECT own.number, own.turn FROM jobs AS own WHERE {} ORDER BY own.turn, own.number LIMIT 1 "
      "FOR UPDATE SKIP LOCKED",
      may_begin);
}

// The first of these jobs that nobody else is about to begin. They are read one by one, so that
// only this one is locked.
std::string first_of(const std::string& jobs) {
  return fmt::format(
      "SELECT chosen.number, chosen.turn FROM ({}) AS next CROSS JOIN LATERAL ("
      "SELECT own.number, own.turn FROM jobs AS own WHERE own.number = next.number "
      "AND own.state = 0 FOR UPDATE SKIP LOCKED) AS chosen LIMIT 1",
      jobs);
}

// The jobs at the head of the line, at most $4 of them.
std::string first_jobs() {
  return fmt::format(
      "SELECT own.number, own.owner, own.turn FROM (SELECT number, owner, turn FROM jobs AS own "
      "WHERE {} ORDER BY turn, number LIMIT $4::bigint) AS own WHERE {} ORDER BY turn, number",
      may_begin, fmt::format(owner_may_begin, "own"));
}

// The first jobs of the models $5, at most $4 of each.
std::string first_jobs_of_models() {
  return fmt::format(
      "SELECT own.number, own.owner, own.turn FROM json_array_elements_text($5::json) AS "
      "loaded (model) CROSS JOIN LATERAL (SELECT number, owner, turn FROM jobs AS own WHERE {} "
      "AND own.model = loaded.model ORDER BY turn, number LIMIT $4::bigint) AS own WHERE {} "
      "ORDER BY own.turn, own.number",
      may_begin, fmt::format(owner_may_begin, "own"));
}

// The first job of each owner, by a walk from owner to owner: it costs with the owners who wait,
// and not with the jobs.
std::string first_jobs_of_owners() {
  return fmt::format(
      "WITH RECURSIVE owners (owner) AS ("
      "(SELECT own.owner FROM jobs AS own WHERE own.state = 0 AND own.place = $1 "
      "ORDER BY own.owner LIMIT 1) UNION ALL "
      "SELECT (SELECT own.owner FROM jobs AS own WHERE own.state = 0 AND own.place = $1 "
      "AND own.owner > owners.owner ORDER BY own.owner LIMIT 1) FROM owners "
      "WHERE owners.owner IS NOT NULL) "
      "SELECT first.number, owners.owner, first.turn FROM owners CROSS JOIN LATERAL ("
      "SELECT own.number, own.turn FROM jobs AS own WHERE {} AND own.owner = owners.owner "
      "ORDER BY own.turn, own.number LIMIT 1) AS first WHERE {} "
      "ORDER BY first.turn, first.number",
      may_begin, fmt::format(owner_may_begin, "owners"));
}

// The line has come to the turn of the job that is begun, unless another claim is writing that:
// nobody waits to say it.
constexpr char line_moves[] =
    "line AS MATERIALIZED (SELECT lines.place, head.turn FROM head CROSS JOIN lines "
    "WHERE lines.place = $1 AND lines.reached < head.turn FOR UPDATE OF lines SKIP LOCKED), "
    "come AS (UPDATE lines SET reached = line.turn FROM line WHERE lines.place = line.place) ";
// A job that is begun before its turn, because its model is loaded, leaves the line where it is:
// who comes new would have to wait for all jobs before it.
constexpr char line_stays[] = "line AS (SELECT $1::text) ";

// Begins this job, if there is one.
std::string begin_sql(const std::string& job, const char* line) {
  return fmt::format(
      "WITH head AS MATERIALIZED ({}), {}"
      "UPDATE jobs SET state = 1, node = $2, epoch = epoch + 1, attempts = attempts + 1, "
      "attempts_without_progress = attempts_without_progress + 1, started = scribed_now() "
      "FROM head WHERE jobs.number = head.number RETURNING {}, jobs.options",
      job, line, job_columns);
}

template <class... Values>
std::optional<Job> begin(Step& step, const std::string& sql, const Values&... values) {
  const auto rows = step.query(sql, values...);
  auto job = read_first(rows);
  if (!job) return std::nullopt;
  if (auto options = decode_options(rows[0].text("options"))) {
    job->request.options = *std::move(options);
  }
  return job;
}

// Returns the owners who run as many jobs of this kind on the node as one may, as an array of the
// database; nothing: there are none. A live session takes no place of a job.
Parameter busy_owners(Step& step, const Node& node, const ClaimRequest& request) {
  if (request.most_of_one == std::numeric_limits<int>::max()) return std::nullopt;
  const auto rows = step.query(
      "SELECT array_agg(owner)::text AS owners FROM (SELECT owner FROM jobs WHERE state = 1 AND "
      "node = $1 AND (home <> '') = $2 AND NOT live GROUP BY owner HAVING count(*) >= $3) AS busy",
      node.number, request.waited_for, request.most_of_one);
  return rows[0].is_null("owners") ? Parameter() : Parameter(rows[0].text("owners"));
}

// The first job of a line.
struct Head {
  std::string place{};
  std::string model{};
  bool is_late = false;  // it has waited so long that no other model is preferred
};

// Returns the heads of those of the lines in which somebody waits. Most looks of idle nodes find
// nobody, and cost this statement alone.
std::vector<Head> heads_of_lines(Step& step, const std::vector<std::string>& places) {
  const auto rows = step.query(
      "SELECT line.place, head.model, head.created < scribed_now() - $2 AS is_late "
      "FROM json_array_elements_text($1::json) WITH ORDINALITY AS line (place, nth) "
      "CROSS JOIN LATERAL (SELECT own.model, own.created FROM jobs AS own WHERE own.state = 0 "
      "AND own.place = line.place AND own.not_before <= (SELECT scribed_now()) "
      "ORDER BY own.turn, own.number LIMIT 1) AS head ORDER BY line.nth",
      nlohmann::json(places).dump(), preference_ends_after_s);
  std::vector<Head> heads;
  for (int i = 0; i < rows.size(); ++i) {
    heads.push_back({rows[i].text("place"), rows[i].text("model"), rows[i].flag("is_late")});
  }
  return heads;
}

struct Claimant {
  const Node& node;
  const ClaimRequest& request;
  Parameter busy{};
};

// Returns whether jobs of loaded models may be preferred to the first one of the line.
bool is_patient(const Head& head, const std::vector<std::string>& loaded) {
  return !loaded.empty() && !head.is_late && std::ranges::find(loaded, head.model) == loaded.end();
}

std::optional<Job> claim_at(Step& step, const Head& head, const Claimant& who) {
  const auto& place = head.place;
  const auto& models = who.request.loaded_models;
  const int node = who.node.number;
  if (is_patient(head, models)) {
    auto job = begin(step, begin_sql(first_of(first_jobs_of_models()), line_stays), place, node,
                     who.busy, look_ahead, nlohmann::json(models).dump());
    if (job) return job;
  }
  if (!who.busy) return begin(step, begin_sql(first_job(), line_moves), place, node);
  auto job =
      begin(step, begin_sql(first_of(first_jobs()), line_moves), place, node, who.busy, look_ahead);
  if (job) return job;
  return begin(step, begin_sql(first_of(first_jobs_of_owners()), line_moves), place, node,
               who.busy);
}

// The order of the lines whose places are '+' and empty; clients come first here.
constexpr char order_of_lines[] = "own.home = '', own.place";

}  // namespace

std::optional<Job> claim_next(Step& step, const Node& node, const ClaimRequest& request,
                              std::uint64_t begun) {
  std::vector<std::string> places{for_anybody, in_bulk};
  if (is_turn_of_bulk(begun)) std::ranges::reverse(places);
  if (request.waited_for) places = {node.name, anywhere};
  const auto heads = heads_of_lines(step, places);
  if (heads.empty()) return std::nullopt;
  const Claimant who{node, request, busy_owners(step, node, request)};
  for (const Head& head : heads) {
    if (auto job = claim_at(step, head, who)) return job;
  }
  return std::nullopt;
}

std::vector<std::string> waiting_jobs(Step& step) {
  const auto rows = step.query(fmt::format(
      "SELECT id FROM jobs AS own WHERE state = 0 ORDER BY {}, turn, number", order_of_lines));
  std::vector<std::string> ids;
  for (int i = 0; i < rows.size(); ++i) ids.push_back(rows[i].text("id"));
  return ids;
}

// Each of the three counts reads an index, up to a limit: a longer line is told as one of so many.
std::optional<int> place_of_job(Step& step, const std::string& id) {
  constexpr int most = 10'000;
  const auto rows = step.query(
      "SELECT mine.home = '' AS is_detached, mine.place, "
      "(SELECT count(*) FROM (SELECT 1 FROM jobs AS own WHERE own.state = 0 "
      "AND own.place = mine.place AND (own.turn, own.number) <= (mine.turn, mine.number) "
      "LIMIT $2) AS before) AS in_line FROM jobs AS mine WHERE mine.id = $1 AND mine.state = 0",
      id, most);
  if (rows.empty()) return std::nullopt;
  const bool is_detached = rows[0].flag("is_detached");
  const std::string place = rows[0].text("place");
  const auto earlier = step.query(
      "SELECT (SELECT count(*) FROM (SELECT 1 FROM jobs AS own WHERE own.state = 0 "
      "AND own.home <> '' AND ($1::boolean OR own.place < $2::text) LIMIT $4) AS clients) + "
      "(SELECT count(*) FROM (SELECT 1 FROM jobs AS own WHERE $3::boolean AND own.state = 0 "
      "AND own.place = '' LIMIT $4) AS others) AS count",
      is_detached, place, place == in_bulk, most);
  return static_cast<int>(rows[0].integer("in_line") + earlier[0].integer("count"));
}

}  // namespace server::postgres
