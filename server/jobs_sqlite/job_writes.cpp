#include "server/jobs_sqlite/job_writes.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/base/random_id.h"
#include "server/jobs/job_end.h"
#include "server/jobs/job_json.h"
#include "server/jobs/turn_rules.h"
#include "server/jobs_sqlite/expiry.h"
#include "server/jobs_sqlite/find_jobs.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/search_index.h"

namespace server {
namespace {

template <class... Values>
int execute(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  SQLite::bind(statement, values...);
  return statement.exec();
}

int code_of(JobState state) {
  return static_cast<int>(state);
}

void append_segments(SQLite::Database& db, const char* database, const Job& job,
                     std::span<const protocol::Segment> segments) {
  int number = job.segments;
  bool progresses = false;
  for (const auto& segment : segments) {
    execute(db, fmt::format("INSERT INTO {}.segments VALUES (?, ?, ?)", database), job.id, number,
            encode(segment));
    if (job.request.detached) index_segment(db, job.number, number, segment.text);
    progresses = progresses || segment.end > segment.start;
    ++number;
  }
  execute(db,
          fmt::format("UPDATE {}.jobs SET segments = ?, attempts_without_progress = "
                      "iif(?, 0, attempts_without_progress) WHERE number = ?",
                      database),
          number, progresses ? 1 : 0, job.number);
  const bool names_someone =
      std::ranges::any_of(segments, [](const auto& one) { return !one.speaker.empty(); });
  if (job.request.detached && names_someone) index_speakers(db, job);
}

bool write_progress(SQLite::Database& db, const char* database, const Claim& claim,
                    const RunProgress& progress) {
  return execute(db,
                 fmt::format("UPDATE {}.jobs SET position = max(position, ?), "
                             "duration = max(duration, ?), language = ? "
                             "WHERE number = ? AND epoch = ? AND state = ?",
                             database),
                 progress.position, progress.duration, progress.language, claim.number, claim.epoch,
                 code_of(JobState::running)) > 0;
}

std::optional<Job> find_claimed(SQLite::Database& db, const char* database, const Claim& claim) {
  SQLite::Statement query(
      db,
      fmt::format("SELECT * FROM {}.jobs WHERE number = ? AND epoch = ? AND state = ?", database));
  SQLite::bind(query, claim.number, claim.epoch, code_of(JobState::running));
  return read_first(query);
}

std::optional<Job> find_open(SQLite::Database& db, const char* database, const std::string& id,
                             const std::optional<std::string>& owner) {
  SQLite::Statement query(db, fmt::format("SELECT * FROM {}.jobs WHERE id = ? AND "
                                          "(? OR owner = ?) AND state IN (?, ?)",
                                          database));
  SQLite::bind(query, id, owner ? 0 : 1, owner.value_or(""), code_of(JobState::queued),
               code_of(JobState::running));
  return read_first(query);
}

// Ends a job that waits or runs.
Job write_end(SQLite::Database& db, const char* database, const Job& open, const JobEnd& wanted,
              const EndTime& time) {
  const JobEnd end = stored_end(open, wanted);
  if (open.state == JobState::queued) give_turn_back(db, database, open.number);
  SQLite::Statement update(
      db, fmt::format(
              "UPDATE {}.jobs SET state = ?1, epoch = epoch + 1, finished = ?2, "
              "expires = {}, error = nullif(?4, ''), summary = ?5, duration = max(duration, ?7), "
              "language = coalesce(nullif(?8, ''), language) "
              "WHERE number = ?6 RETURNING *",
              database, expiry));
  SQLite::bind(update, code_of(end.state), time.now, time.keep_s,
               end.error ? encode(*end.error) : std::string(), encode(end.summary), open.number,
               end.summary.duration, end.summary.language);
  Job job = read_changed(update).value_or(open);
  if (!end.exclusive_turns.empty()) {
    job.segments = name_stored_speakers(db, database, job.id, end.exclusive_turns);
    if (is_indexed(db, job.number)) index_job(db, job);
  }
  execute(db, fmt::format("DELETE FROM {}.options WHERE job = ?", database), job.number);
  return job;
}

}  // namespace

Job new_job(JobRequest request, std::int64_t number, double now) {
  Job job{.id = random_id(), .number = number, .request = std::move(request), .created = now};
  if (!job.request.live) return job;
  job.state = JobState::running;
  job.epoch = job.attempts = 1;
  job.started = job.created;
  return job;
}

void write_new_job(SQLite::Database& db, const char* database, const Job& job, double cost) {
  const JobRequest& request = job.request;
  const int is_on_disk = request.detached ? 1 : 0;
  const Line line{database, request.detached && request.bulk};
  const double turn = request.live ? 0 : take_turn(db, line, request.owner, cost);
  execute(db,
          fmt::format("INSERT INTO {}.jobs (number, id, owner, key, state, request, created, "
                      "detached, keep_s, epoch, attempts, started, indexed, turn, cost, is_bulk, "
                      "model) VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                      "?)",
                      database),
          job.number, job.id, request.owner, request.idempotency_key, code_of(job.state),
          encode(request), job.created, is_on_disk, request.keep_results_s.value_or(0), job.epoch,
          job.attempts, job.started, is_on_disk, turn, cost, line.is_bulk ? 1 : 0, request.model);
  execute(db, fmt::format("INSERT INTO {}.options VALUES (?, ?)", database), job.number,
          encode(request.options));
  if (!request.detached) return;
  index_title(db, job);
  index_speakers(db, job);  // the channels may have names
}

std::optional<Job> write_begin(SQLite::Database& db, const Line& line, std::int64_t number,
                               double now) {
  SQLite::Statement update(db,
                           fmt::format("UPDATE {}.jobs SET state = ?, epoch = epoch + 1, "
                                       "attempts = attempts + 1, "
                                       "attempts_without_progress = attempts_without_progress + 1, "
                                       "started = ? WHERE number = ? RETURNING *",
                                       line.database));
  SQLite::bind(update, code_of(JobState::running), now, number);
  auto job = read_changed(update);
  if (job) read_options(db, line.database, *job);
  return job;
}

Result<void> write_run(SQLite::Database& db, const RunWrite& write) {
  const char* database = home_of(db, write.claim.number);
  if (!write.segments.empty()) {
    const auto job = find_claimed(db, database, write.claim);
    if (!job) return claim_lost();
    append_segments(db, database, *job, write.segments);
  }
  const bool is_written =
      !write.progress || write_progress(db, database, write.claim, *write.progress);
  return is_written ? Result<void>() : claim_lost();
}

bool write_return(SQLite::Database& db, const char* database, const Claim& claim, bool counts,
                  double now) {
  return execute(db,
                 fmt::format("UPDATE {}.jobs SET state = ?1, epoch = epoch + 1, "
                             "not_before = iif(?2, not_before, "
                             "?6 + min(?7, 1 << min(attempts_without_progress, 8))), "
                             "attempts = attempts - ?2, "
                             "attempts_without_progress = max(0, attempts_without_progress - ?2) "
                             "WHERE number = ?3 AND epoch = ?4 AND state = ?5",
                             database),
                 code_of(JobState::queued), counts ? 0 : 1, claim.number, claim.epoch,
                 code_of(JobState::running), now, longest_wait_s) > 0;
}

Result<Job> finish_job(SQLite::Database& db, const Claim& claim, const JobEnd& end,
                       const EndTime& time) {
  SQLite::Transaction transaction(db);
  const char* database = home_of(db, claim.number);
  const auto job = find_claimed(db, database, claim);
  if (!job) return claim_lost();
  Job ended = write_end(db, database, *job, end, time);
  transaction.commit();
  return ended;
}

std::optional<Job> cancel_job(SQLite::Database& db, const std::string& id,
                              const std::optional<std::string>& owner, const EndTime& time) {
  SQLite::Transaction transaction(db);
  const char* database = home_of(db, id);
  const auto job = find_open(db, database, id, owner);
  if (!job) return std::nullopt;
  Job ended = write_end(db, database, *job, {.state = JobState::cancelled}, time);
  transaction.commit();
  return ended;
}

}  // namespace server
