#include "server/jobs_sqlite/queue_order.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include "server/jobs_sqlite/schema.h"

namespace server {
namespace {

// How many jobs of an owner run. A live session takes no place of a job.
std::string count_running(const char* database, const char* owner) {
  return fmt::format(
      "(SELECT count(*) FROM {}.jobs AS own INDEXED BY jobs_running "
      "WHERE own.state = 1 AND own.owner = {} "
      "AND NOT coalesce(json_extract(own.request, '$.live'), 0))",
      database, owner);
}

// The turn of the owner's job that was begun last. Each of the two selects is one search of an
// index; over a view of both it would read every job.
std::string last_turn(const char* owner) {
  return fmt::format(
      "max((SELECT coalesce(max(turn), 0) FROM main.jobs AS own WHERE own.owner = {0}), "
      "(SELECT coalesce(max(turn), 0) FROM memory.jobs AS own WHERE own.owner = {0}))",
      owner);
}

}  // namespace

// Goes from owner to owner in the index of what waits, and reads the first of each. Without the
// names of the indexes SQLite would read all that waits or runs.
std::optional<std::int64_t> next_job(SQLite::Database& db, const char* database, int most_of_one) {
  SQLite::Statement query(
      db, fmt::format("WITH RECURSIVE owners (owner) AS ("
                      "SELECT min(owner) FROM {0} WHERE state = 0 UNION ALL "
                      "SELECT (SELECT min(owner) FROM {0} WHERE state = 0 "
                      "AND own.owner > owners.owner) FROM owners WHERE owners.owner IS NOT NULL) "
                      "SELECT (SELECT min(number) FROM {0} WHERE state = 0 "
                      "AND own.owner = owners.owner) AS first, {1} AS begun, {2} AS running "
                      "FROM owners WHERE owner IS NOT NULL AND running < ? "
                      "ORDER BY running, begun, first LIMIT 1",
                      fmt::format("{}.jobs AS own INDEXED BY jobs_waiting", database),
                      last_turn("owners.owner"), count_running(database, "owners.owner")));
  SQLite::bind(query, most_of_one);
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getInt64();
}

// The order is that of next_job(), if nothing that runs ends meanwhile: when the n-th waiting job
// of an owner is begun, n - 1 more of the owner's jobs run, and they were begun later than any that
// runs now.
std::vector<std::string> waiting_jobs(SQLite::Database& db) {
  const auto waiting_in = [](const char* database, int is_detached) {
    return fmt::format(
        "SELECT id, {} AS is_detached, {} AS running, {} AS begun, "
        "row_number() OVER (PARTITION BY owner ORDER BY number) AS nth, "
        "first_value(number) OVER (PARTITION BY owner ORDER BY number) AS first "
        "FROM {}.jobs AS waiting WHERE state = 0",
        is_detached, count_running(database, "waiting.owner"), last_turn("waiting.owner"),
        database);
  };
  SQLite::Statement query(db, fmt::format("SELECT id FROM ({} UNION ALL {}) "
                                          "ORDER BY is_detached, running + nth, nth, begun, first",
                                          waiting_in(in_memory, 0), waiting_in(on_disk, 1)));
  std::vector<std::string> ids;
  while (query.executeStep()) ids.push_back(query.getColumn(0).getString());
  return ids;
}

}  // namespace server
