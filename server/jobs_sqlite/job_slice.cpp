#include "server/jobs_sqlite/job_slice.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include "server/jobs_sqlite/find_jobs.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/text_search.h"

namespace server {
namespace {

// A slice ends when texts of so many segments were read for it.
constexpr int most_read_in_a_slice = 200;

// ?1 to ?3 choose the slice, the others filter it. Without an owner ?1 is empty.
std::string slice_sql(const std::optional<std::string>& owner) {
  return std::string("SELECT * FROM all_jobs WHERE ") + (owner ? "owner = ?1" : "?1 = ''") +
         " AND (?2 = 0 OR number < ?2) ORDER BY number DESC LIMIT ?3";
}

constexpr char filter_sql[] =
    " WHERE (?4 = 0 OR (?4 & (1 << state)) != 0) "
    "AND (?5 = '' OR json_extract(request, '$.model') = ?5) "
    "AND (?6 = '' OR language = ?6) AND (?7 < 0 OR pinned = ?7) ORDER BY number DESC";

// Returns a number with a bit for each state.
int bits_of(const std::vector<JobState>& states) {
  int bits = 0;
  for (const JobState state : states) bits |= 1 << static_cast<int>(state);
  return bits;
}

void bind_filter(SQLite::Statement& query, const JobFilter& filter) {
  query.bind(4, bits_of(filter.states));
  query.bind(5, filter.model);
  query.bind(6, filter.language);
  query.bind(7, filter.pinned ? static_cast<int>(*filter.pinned) : -1);
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

// Returns the job with this number, if it passes the filter but for its texts.
std::optional<Job> filtered_job(SQLite::Database& db, const std::optional<std::string>& owner,
                                const JobFilter& filter, std::int64_t number) {
  SQLite::Statement query(db, "SELECT * FROM (" + slice_sql(owner) + ") AS slice" + filter_sql);
  query.bind(1, owner.value_or(""));
  query.bind(2, number + 1);
  query.bind(3, 1);
  bind_filter(query, filter);
  auto job = read_first(query);
  if (job && job->number != number) job.reset();
  return job;
}

JobSlice slice_with_texts(SQLite::Database& db, const std::optional<std::string>& owner,
                          const JobFilter& filter, std::int64_t number, int size) {
  TextSearch search(db, filter.texts);
  JobSlice slice;
  int read = 0;
  for (int looked_at = 0; looked_at < size; ++looked_at) {
    const auto next = search.next(owner, number);
    if (!next) return slice;
    number = *next;
    auto job = filtered_job(db, owner, filter, number);
    if (job && search.has_to_read(*job)) read += job->segments;
    const auto passes = job ? search.passes(*job) : false;
    if (!passes) slice.unread = std::move(job);
    if (passes && *passes) slice.jobs.push_back(*std::move(job));
    if (slice.unread || read > most_read_in_a_slice) break;
  }
  slice.end = JobPlace{.number = number};
  return slice;
}

}  // namespace

Result<JobSlice> slice_of_jobs(SQLite::Database& db, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size) {
  std::int64_t number = behind.number;
  if (!behind.id.empty()) {
    const auto found = number_of_job(db, behind.id, owner);
    if (!found) return no_such_place(behind.id);
    number = *found;
  }
  if (!filter.texts.empty()) return slice_with_texts(db, owner, filter, number, size);
  SQLite::Statement query(db, "SELECT * FROM (" + slice_sql(owner) + ") AS slice" + filter_sql);
  query.bind(1, owner.value_or(""));
  query.bind(2, number);
  query.bind(3, size);
  bind_filter(query, filter);
  return JobSlice{.jobs = read_all(query), .end = end_of_slice(db, owner, number, size)};
}

}  // namespace server
