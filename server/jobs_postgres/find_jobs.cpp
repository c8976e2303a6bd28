#include "server/jobs_postgres/find_jobs.h"

#include <fmt/format.h>

#include <limits>

#include "server/jobs_postgres/database_text.h"
#include "server/jobs_postgres/job_rows.h"

namespace server::postgres {

std::optional<Job> find_job(Step& step, const std::string& id,
                            const std::optional<std::string>& owner) {
  return read_first(step.query(
      fmt::format("SELECT {} FROM jobs WHERE id = $1 AND ($2::text IS NULL OR owner = $2)",
                  job_columns),
      id, owner));
}

std::optional<Job> find_by_key(Step& step, const std::string& owner, const std::string& key) {
  if (key.empty()) return std::nullopt;
  return read_first(
      step.query(fmt::format("SELECT {} FROM jobs WHERE owner = $1 AND key = $2", job_columns),
                 owner, database_key(key)));
}

std::optional<std::int64_t> number_of_job(Step& step, const std::string& id,
                                          const std::optional<std::string>& owner) {
  const auto rows = step.query(
      "SELECT number FROM jobs WHERE id = $1 AND ($2::text IS NULL OR owner = $2)", id, owner);
  if (rows.empty()) return std::nullopt;
  return rows[0].integer("number");
}

Result<std::vector<Job>> list_jobs(Step& step, const std::optional<std::string>& owner, int limit,
                                   const std::string& before) {
  std::int64_t below = std::numeric_limits<std::int64_t>::max();
  if (!before.empty()) {
    const auto number = number_of_job(step, before, owner);
    if (!number) return no_such_place(before);
    below = *number;
  }
  // Each of the two has an index of its own.
  const std::string mine = owner ? "owner = $3" : "$3::text IS NULL";
  return read_all(step.query(fmt::format("SELECT {} FROM jobs WHERE number < $1 AND {} "
                                         "ORDER BY number DESC LIMIT $2",
                                         job_columns, mine),
                             below, limit, owner));
}

}  // namespace server::postgres
