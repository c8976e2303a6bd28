#include "server/jobs_sqlite/find_jobs.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/schema.h"

namespace server {
namespace {

// Returns the condition that ?2 is the owner of a job; without an owner, and with an empty ?2, any
// owner is.
const char* is_of(const std::optional<std::string>& owner) {
  return owner ? "owner = ?2" : "?2 = ''";
}

template <class Value>
const char* home_where(SQLite::Database& db, const char* column, const Value& value) {
  SQLite::Statement query(db, fmt::format("SELECT 1 FROM memory.jobs WHERE {} = ?", column));
  SQLite::bind(query, value);
  return query.executeStep() ? in_memory : on_disk;
}

}  // namespace

const char* home_of(SQLite::Database& db, const std::string& id) {
  return home_where(db, "id", id);
}

const char* home_of(SQLite::Database& db, std::int64_t number) {
  return home_where(db, "number", number);
}

std::optional<Job> find_job(SQLite::Database& db, const std::string& id,
                            const std::optional<std::string>& owner) {
  SQLite::Statement query(db,
                          fmt::format("SELECT * FROM all_jobs WHERE id = ?1 AND {}", is_of(owner)));
  SQLite::bind(query, id, owner.value_or(""));
  return read_first(query);
}

std::optional<Job> find_by_key(SQLite::Database& db, const std::string& owner,
                               const std::string& key) {
  if (key.empty()) return std::nullopt;
  SQLite::Statement query(db, "SELECT * FROM all_jobs WHERE owner = ? AND key = ?");
  SQLite::bind(query, owner, key);
  return read_first(query);
}

std::optional<std::int64_t> number_of_job(SQLite::Database& db, const std::string& id,
                                          const std::optional<std::string>& owner) {
  SQLite::Statement query(
      db, fmt::format("SELECT number FROM all_jobs WHERE id = ?1 AND {}", is_of(owner)));
  SQLite::bind(query, id, owner.value_or(""));
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getInt64();
}

Result<std::vector<Job>> list_jobs(SQLite::Database& db, const std::optional<std::string>& owner,
                                   int limit, const std::string& before) {
  if (!before.empty() && !number_of_job(db, before, owner)) return no_such_place(before);
  SQLite::Statement query(db,
                          fmt::format("SELECT * FROM all_jobs WHERE {} AND (?3 = '' OR number < "
                                      "(SELECT number FROM all_jobs WHERE id = ?3)) "
                                      "ORDER BY number DESC LIMIT ?1",
                                      is_of(owner)));
  SQLite::bind(query, limit, owner.value_or(""), before);
  return read_all(query);
}

}  // namespace server
