#include "server/jobs_sqlite/stored_bytes.h"

#include <SQLiteCpp/VariadicBind.h>

#include <algorithm>

namespace server {
namespace {

template <class Value>
std::int64_t first_or_zero(SQLite::Database& db, const char* sql, const Value& value) {
  SQLite::Statement query(db, sql);
  SQLite::bind(query, value);
  return query.executeStep() ? query.getColumn(0).getInt64() : 0;
}

// As the triggers count.
constexpr char bytes_of_job[] =
    "SELECT length(CAST(request AS BLOB)) + length(CAST(title AS BLOB)) + "
    "length(CAST(speaker_names AS BLOB)) + coalesce(length(CAST(summary AS BLOB)), 0) + "
    "coalesce(length(CAST(error AS BLOB)), 0) + "
    "(SELECT coalesce(sum(32 + length(CAST(options AS BLOB))), 0) FROM main.options "
    "WHERE job = jobs.number) + "
    "(SELECT coalesce(sum(32 + length(CAST(segment AS BLOB))), 0) FROM main.segments "
    "WHERE job = jobs.id) + "
    "(SELECT coalesce(sum(32 + length(CAST(ops AS BLOB))), 0) FROM main.versions "
    "WHERE job = jobs.number) + "
    "(SELECT coalesce(sum(32 + coalesce(length(CAST(content AS BLOB)), 0)), 0) "
    "FROM main.revisions WHERE job = jobs.number) FROM main.jobs WHERE number = ?";

}  // namespace

std::int64_t stored_of_owner(SQLite::Database& db, const std::string& owner) {
  return first_or_zero(db, "SELECT bytes FROM main.stored_of_owners WHERE owner = ?", owner);
}

StoredBytes stored_of_all(SQLite::Database& db) {
  StoredBytes found;
  SQLite::Statement query(db, "SELECT owner, bytes FROM main.stored_of_owners");
  while (query.executeStep()) {
    const auto bytes = std::max<std::int64_t>(0, query.getColumn(1).getInt64());
    found[query.getColumn(0).getString()] = static_cast<std::uint64_t>(bytes);
  }
  return found;
}

bool count_next(SQLite::Database& db) {
  const auto number =
      db.execAndGet("SELECT coalesce(max(job), 0) FROM main.jobs_to_count").getInt64();
  if (number == 0) return false;
  SQLite::Transaction transaction(db);
  const auto bytes = first_or_zero(db, bytes_of_job, number);
  SQLite::Statement count(db,
                          "INSERT INTO main.stored_of_jobs SELECT number, owner, ? FROM main.jobs "
                          "WHERE number = ?");
  SQLite::bind(count, bytes, number);
  count.exec();
  SQLite::Statement done(db, "DELETE FROM main.jobs_to_count WHERE job = ?");
  SQLite::bind(done, number);
  done.exec();
  transaction.commit();
  return true;
}

}  // namespace server
