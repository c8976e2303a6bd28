#include "server/jobs_sqlite/queue_order.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include "server/jobs/job.h"

namespace server {
namespace {

// Each of the two selects is one search of an index; over a view of both it would read every job.
constexpr char last_turn[] =
    "max((SELECT coalesce(max(turn), 0) FROM main.jobs AS own WHERE own.owner = waiting.owner), "
    "(SELECT coalesce(max(turn), 0) FROM memory.jobs AS own WHERE own.owner = waiting.owner))";

// A live session takes no place of a job.
constexpr char is_live[] = "coalesce(json_extract(own.request, '$.live'), 0)";

}  // namespace

std::vector<WaitingOwner> waiting_owners(SQLite::Database& db, const char* database) {
  SQLite::Statement query(db,
                          fmt::format("SELECT min(number), "
                                      "(SELECT count(*) FROM {0}.jobs AS own WHERE own.state = ?2 "
                                      "AND own.owner = waiting.owner AND NOT {2}), {1} "
                                      "FROM {0}.jobs AS waiting WHERE state = ?1 GROUP BY owner",
                                      database, last_turn, is_live));
  SQLite::bind(query, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
  std::vector<WaitingOwner> owners;
  while (query.executeStep()) {
    owners.push_back({.first = query.getColumn(0).getInt64(),
                      .running = query.getColumn(1).getInt(),
                      .last_begun = query.getColumn(2).getInt64()});
  }
  return owners;
}

// The order is that of owners_turn(), if nothing that runs ends meanwhile: when the n-th waiting
// job of an owner is begun, n - 1 more of the owner's jobs run, and they were begun later than any
// that runs now. Jobs that a client waits for come first here.
std::vector<std::string> waiting_jobs(SQLite::Database& db) {
  SQLite::Statement query(
      db, fmt::format(
              "SELECT id FROM (SELECT id, detached, "
              "row_number() OVER (PARTITION BY owner, detached ORDER BY number) AS nth, "
              "first_value(number) OVER (PARTITION BY owner, detached ORDER BY number) AS first, "
              "(SELECT count(*) FROM all_jobs AS own WHERE own.state = ?2 "
              "AND +own.owner = waiting.owner AND own.detached = waiting.detached "
              "AND NOT {}) AS running, {} AS begun FROM all_jobs AS waiting WHERE state = ?1) "
              "ORDER BY detached, running + nth, nth, begun, first",
              is_live, last_turn));
  SQLite::bind(query, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
  std::vector<std::string> ids;
  while (query.executeStep()) ids.push_back(query.getColumn(0).getString());
  return ids;
}

}  // namespace server
