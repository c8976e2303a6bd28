#include "server/jobs/job_slice.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include "server/jobs/job_rows.h"

namespace server {
namespace {

// ?1 to ?3 choose the slice, the others filter it.
constexpr char slice_sql[] =
    "SELECT * FROM all_jobs WHERE owner = ?1 AND (?2 = 0 OR number < ?2) "
    "ORDER BY number DESC LIMIT ?3";

constexpr char filter_sql[] =
    " WHERE (?4 < 0 OR state = ?4) "
    "AND (?5 = '' OR json_extract(request, '$.model') = ?5) "
    "AND (?6 = '' OR language = ?6) "
    "AND (?7 = '' OR instr(lower(json_extract(request, '$.title')), lower(?7)) "
    "OR EXISTS (SELECT 1 FROM main.segments WHERE job = slice.id "
    "AND instr(lower(json_extract(segment, '$.text')), lower(?7))) "
    "OR EXISTS (SELECT 1 FROM memory.segments WHERE job = slice.id "
    "AND instr(lower(json_extract(segment, '$.text')), lower(?7)))) "
    "ORDER BY number DESC";

// Returns the place of the last job of the slice; nothing if the slice is not full.
std::optional<JobPlace> end_of_slice(SQLite::Database& db, const std::string& owner,
                                     std::int64_t number, int size) {
  SQLite::Statement query(db, std::string("SELECT count(*), min(number) FROM (") + slice_sql + ")");
  SQLite::bind(query, owner, number, size);
  query.executeStep();
  if (query.getColumn(0).getInt() < size) return std::nullopt;
  return JobPlace{.number = query.getColumn(1).getInt64()};
}

}  // namespace

JobSlice slice_of_jobs(SQLite::Database& db, const std::string& owner, const JobFilter& filter,
                       std::int64_t number, int size) {
  SQLite::Statement query(db,
                          std::string("SELECT * FROM (") + slice_sql + ") AS slice" + filter_sql);
  SQLite::bind(query, owner, number, size, filter.state ? static_cast<int>(*filter.state) : -1,
               filter.model, filter.language, filter.text);
  return {.jobs = read_all(query), .end = end_of_slice(db, owner, number, size)};
}

}  // namespace server
