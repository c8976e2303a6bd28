#include "server/jobs/job_slice.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include "server/jobs/job_rows.h"

namespace server {
namespace {

// ?1 to ?3 choose the slice, the others filter it. Without an owner ?1 is empty.
std::string slice_sql(const std::optional<std::string>& owner) {
  return std::string("SELECT * FROM all_jobs WHERE ") + (owner ? "owner = ?1" : "?1 = ''") +
         " AND (?2 = 0 OR number < ?2) ORDER BY number DESC LIMIT ?3";
}

// What was said, and who said it. The label of a speaker without a name, A to ZZ, is no word of the
// transcript; nor is one in whose place there is a name now.
std::string is_said_in(const char* database) {
  return fmt::format(
      "EXISTS (SELECT 1 FROM {}.segments WHERE job = slice.id "
      "AND (instr(lower(json_extract(segment, '$.text')), lower(?7)) "
      "OR (instr(lower(json_extract(segment, '$.speaker')), lower(?7)) "
      "AND json_extract(segment, '$.speaker') NOT GLOB '[A-Z]' "
      "AND json_extract(segment, '$.speaker') NOT GLOB '[A-Z][A-Z]' "
      "AND json_extract(segment, '$.speaker') NOT IN (SELECT key FROM json_each(speaker_names)))))",
      database);
}

std::string filter_sql() {
  return " WHERE (?4 < 0 OR state = ?4) "
         "AND (?5 = '' OR json_extract(request, '$.model') = ?5) "
         "AND (?6 = '' OR language = ?6) "
         "AND (?7 = '' OR instr(lower(json_extract(request, '$.title')), lower(?7)) OR " +
         is_said_in("main") + " OR " + is_said_in("memory") +
         " OR EXISTS (SELECT 1 FROM json_each(speaker_names) WHERE instr(lower(value), "
         "lower(?7)))) ORDER BY number DESC";
}

// Returns the place of the last job of the slice; nothing if the slice is not full.
std::optional<JobPlace> end_of_slice(SQLite::Database& db, const std::optional<std::string>& owner,
                                     std::int64_t number, int size) {
  SQLite::Statement query(db, "SELECT count(*), min(number) FROM (" + slice_sql(owner) + ")");
  SQLite::bind(query, owner.value_or(""), number, size);
  query.executeStep();
  if (query.getColumn(0).getInt() < size) return std::nullopt;
  return JobPlace{.number = query.getColumn(1).getInt64()};
}

}  // namespace

const char* is_of(const std::optional<std::string>& owner) {
  return owner ? "owner = ?2" : "?2 = ''";
}

std::optional<std::int64_t> number_of_job(SQLite::Database& db, const std::string& id,
                                          const std::optional<std::string>& owner) {
  SQLite::Statement query(
      db, fmt::format("SELECT number FROM all_jobs WHERE id = ?1 AND {}", is_of(owner)));
  SQLite::bind(query, id, owner.value_or(""));
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getInt64();
}

Error no_such_place(const std::string& id) {
  return {errc::usage, fmt::format("There is no job {} to go on behind.", id),
          "It was deleted, or has expired: begin with the first page again."};
}

Result<JobSlice> slice_of_jobs(SQLite::Database& db, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size) {
  std::int64_t number = behind.number;
  if (!behind.id.empty()) {
    const auto found = number_of_job(db, behind.id, owner);
    if (!found) return no_such_place(behind.id);
    number = *found;
  }
  SQLite::Statement query(db, "SELECT * FROM (" + slice_sql(owner) + ") AS slice" + filter_sql());
  SQLite::bind(query, owner.value_or(""), number, size,
               filter.state ? static_cast<int>(*filter.state) : -1, filter.model, filter.language,
               filter.text);
  return JobSlice{.jobs = read_all(query), .end = end_of_slice(db, owner, number, size)};
}

}  // namespace server
