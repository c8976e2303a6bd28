#include "server/jobs_sqlite/job_writes.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>

#include "server/jobs/job_json.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/search_index.h"

namespace server {
namespace {

template <class... Values>
void execute(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  SQLite::bind(statement, values...);
  statement.exec();
}

int code_of(JobState state) {
  return static_cast<int>(state);
}

std::optional<Job> find_running(SQLite::Database& db, const char* database, const std::string& id) {
  SQLite::Statement query(
      db, fmt::format("SELECT * FROM {}.jobs WHERE id = ? AND state = ?", database));
  SQLite::bind(query, id, code_of(JobState::running));
  return read_first(query);
}

}  // namespace

void write_new_job(SQLite::Database& db, const char* database, const Job& job) {
  const JobRequest& request = job.request;
  const int is_on_disk = request.detached ? 1 : 0;
  execute(db,
          fmt::format("INSERT INTO {}.jobs (number, id, owner, key, state, request, created, "
                      "detached, keep_s, attempts, started, indexed) "
                      "VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?)",
                      database),
          job.number, job.id, request.owner, request.idempotency_key, code_of(job.state),
          encode(request), job.created, is_on_disk, request.keep_results_s.value_or(0),
          job.attempts, job.started, is_on_disk);
  execute(db, fmt::format("INSERT INTO {}.options VALUES (?, ?)", database), job.number,
          encode(request.options));
  if (!request.detached) return;
  index_title(db, job);
  index_speakers(db, job);  // the channels may have names
}

std::optional<Job> write_begin(SQLite::Database& db, const char* database, std::int64_t number,
                               const BeginTime& time) {
  SQLite::Statement update(db,
                           fmt::format("UPDATE {}.jobs SET state = ?, attempts = attempts + 1, "
                                       "attempts_without_progress = attempts_without_progress + 1, "
                                       "started = ?, turn = ? WHERE number = ? RETURNING *",
                                       database));
  SQLite::bind(update, code_of(JobState::running), time.now, time.turn, number);
  auto job = read_changed(update);
  if (job) read_options(db, database, *job);
  return job;
}

void append_segments(SQLite::Database& db, const char* database, const std::string& id,
                     std::span<const protocol::Segment> segments) {
  const auto job = find_running(db, database, id);
  if (!job) return;
  int number = job->segments;
  bool progresses = false;
  for (const auto& segment : segments) {
    execute(db, fmt::format("INSERT INTO {}.segments VALUES (?, ?, ?)", database), id, number,
            encode(segment));
    if (job->request.detached) index_segment(db, job->number, number, segment.text);
    progresses = progresses || segment.end > segment.start;
    ++number;
  }
  execute(db,
          fmt::format("UPDATE {}.jobs SET segments = ?, attempts_without_progress = "
                      "iif(?, 0, attempts_without_progress) WHERE id = ?",
                      database),
          number, progresses ? 1 : 0, id);
  const bool names_someone =
      std::ranges::any_of(segments, [](const auto& one) { return !one.speaker.empty(); });
  if (job->request.detached && names_someone) index_speakers(db, *job);
}

std::optional<Job> write_end(SQLite::Database& db, const char* database, const std::string& id,
                             const JobEnd& end, const EndTime& time) {
  SQLite::Statement update(
      db, fmt::format("UPDATE {}.jobs SET state = ?1, finished = ?2, "
                      "expires = iif(pinned, 0, ?2 + iif(keep_s > 0, keep_s, ?3)), "
                      "error = nullif(?4, ''), summary = ?5, duration = max(duration, ?9), "
                      "language = coalesce(nullif(?10, ''), language) "
                      "WHERE id = ?6 AND state IN (?7, ?8) RETURNING *",
                      database));
  SQLite::bind(update, code_of(end.state), time.now, time.keep_s,
               end.error ? encode(*end.error) : std::string(), encode(end.summary), id,
               code_of(JobState::queued), code_of(JobState::running), end.summary.duration,
               end.summary.language);
  auto job = read_changed(update);
  if (job && !end.exclusive_turns.empty()) {
    job->segments = name_stored_speakers(db, database, id, end.exclusive_turns);
    if (is_indexed(db, job->number)) index_job(db, *job);
  }
  drop_options(db, database);
  return job;
}

}  // namespace server
