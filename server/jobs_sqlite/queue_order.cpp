#include "server/jobs_sqlite/queue_order.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "server/jobs/turn_rules.h"
#include "server/jobs_sqlite/schema.h"

namespace server {
namespace {

// Parameters of all looks: ?1 says whether the line is that of bulk, ?2 is the time, ?3 has the
// owners who run as many as they may, as JSON. A job that has to wait longer than it ever could is
// one of before the clock was set back.
constexpr char may_begin[] =
    "state = 0 AND is_bulk = ?1 AND NOT (not_before > ?2 AND not_before <= ?2 + ?4)";
constexpr char owner_may_begin[] = "owner NOT IN (SELECT value FROM json_each(?3))";

// What a look for a job is made with. SQLite would not take these indexes by itself everywhere.
struct Look {
  SQLite::Database& db;
  const Line& line;
  double now;
  std::string busy;

  template <class... Values>
  std::optional<std::int64_t> number(const std::string& sql, const Values&... values) const {
    SQLite::Statement query(db, sql);
    SQLite::bind(query, line.is_bulk ? 1 : 0, now, busy, longest_wait_s, values...);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getInt64();
  }
};

// Returns the owners who run as many jobs as one may, as a JSON array. A live session takes no
// place of a job.
std::string busy_owners(SQLite::Database& db, const char* database, int most_of_one) {
  nlohmann::json owners = nlohmann::json::array();
  if (most_of_one == std::numeric_limits<int>::max()) return owners.dump();
  SQLite::Statement query(db, fmt::format("SELECT owner FROM {}.jobs INDEXED BY jobs_running "
                                          "WHERE state = 1 AND NOT coalesce(json_extract(request, "
                                          "'$.live'), 0) GROUP BY owner HAVING count(*) >= ?",
                                          database));
  SQLite::bind(query, most_of_one);
  while (query.executeStep()) owners.push_back(query.getColumn(0).getString());
  return owners.dump();
}

// Returns the first job of the line, among so many.
std::optional<std::int64_t> first_job(const Look& look, int among) {
  return look.number(
      fmt::format("SELECT number FROM (SELECT number, owner FROM {}.jobs INDEXED BY jobs_waiting "
                  "WHERE {} ORDER BY turn, number LIMIT ?5) WHERE {} LIMIT 1",
                  look.line.database, may_begin, owner_may_begin),
      among);
}

// Returns the first job of a model that is loaded, unless the first of all is one or is late.
std::optional<std::int64_t> preferred_job(const Look& look,
                                          const std::vector<std::string>& models) {
  const std::string loaded = nlohmann::json(models).dump();
  const auto head_is_patient = look.number(
      fmt::format("SELECT created >= ?2 - ?6 AND model NOT IN (SELECT value FROM json_each(?5)) "
                  "FROM {}.jobs INDEXED BY jobs_waiting WHERE {} ORDER BY turn, number LIMIT 1",
                  look.line.database, may_begin),
      loaded, preference_ends_after_s);
  if (head_is_patient.value_or(0) == 0) return std::nullopt;
  std::optional<std::pair<double, std::int64_t>> best;
  for (const auto& model : models) {
    SQLite::Statement query(
        look.db,
        fmt::format("SELECT turn, number FROM (SELECT turn, number, owner FROM {}.jobs INDEXED BY "
                    "jobs_waiting_for_model WHERE {} AND model = ?5 ORDER BY turn, number "
                    "LIMIT ?6) WHERE {} LIMIT 1",
                    look.line.database, may_begin, owner_may_begin));
    SQLite::bind(query, look.line.is_bulk ? 1 : 0, look.now, look.busy, longest_wait_s, model,
                 look_ahead);
    if (!query.executeStep()) continue;
    const std::pair found{query.getColumn(0).getDouble(), query.getColumn(1).getInt64()};
    best = best ? std::min(*best, found) : found;
  }
  if (!best) return std::nullopt;
  return best->second;
}

// Goes from owner to owner in the index of what waits, and reads the first of each: it costs with
// the owners who wait, and not with the jobs.
std::optional<std::int64_t> first_job_of_an_owner(const Look& look) {
  return look.number(fmt::format(
      "WITH RECURSIVE waiting (owner) AS (SELECT min(owner) FROM {0} WHERE state = 0 "
      "AND is_bulk = ?1 UNION ALL SELECT (SELECT min(owner) FROM {0} WHERE state = 0 "
      "AND is_bulk = ?1 AND own.owner > waiting.owner) FROM waiting WHERE waiting.owner IS NOT "
      "NULL), "
      "firsts AS (SELECT (SELECT number FROM {0} WHERE {1} AND own.owner = waiting.owner "
      "ORDER BY turn, number LIMIT 1) AS first FROM waiting WHERE owner IS NOT NULL AND {2}) "
      "SELECT number FROM firsts JOIN {3}.jobs AS job ON job.number = firsts.first "
      "ORDER BY job.turn, job.number LIMIT 1",
      fmt::format("{}.jobs AS own INDEXED BY jobs_waiting_of_owner", look.line.database), may_begin,
      owner_may_begin, look.line.database));
}

}  // namespace

std::vector<Line> lines_of(const ClaimRequest& request, std::uint64_t begun) {
  if (request.waited_for) return {{in_memory}};
  std::vector<Line> lines{{on_disk, false}, {on_disk, true}};
  if (is_turn_of_bulk(begun)) std::ranges::reverse(lines);
  return lines;
}

std::optional<NextJob> next_job(SQLite::Database& db, const Line& line, const ClaimRequest& request,
                                double now) {
  const Look look{db, line, now, busy_owners(db, line.database, request.most_of_one)};
  if (!request.loaded_models.empty()) {
    if (const auto preferred = preferred_job(look, request.loaded_models)) {
      return NextJob{*preferred, true};
    }
  }
  constexpr int all = -1;
  const bool has_busy = look.busy != "[]";
  auto first = first_job(look, has_busy ? look_ahead : all);
  if (!first && has_busy) first = first_job_of_an_owner(look);
  if (!first) return std::nullopt;
  return NextJob{*first};
}

std::vector<std::string> waiting_jobs(SQLite::Database& db) {
  SQLite::Statement query(
      db, fmt::format("SELECT id FROM ("
                      "SELECT id, 0 AS line, turn, number FROM {}.jobs WHERE state = 0 UNION ALL "
                      "SELECT id, 1 + is_bulk, turn, number FROM {}.jobs WHERE state = 0) "
                      "ORDER BY line, turn, number",
                      in_memory, on_disk));
  std::vector<std::string> ids;
  while (query.executeStep()) ids.push_back(query.getColumn(0).getString());
  return ids;
}

}  // namespace server
