#include "server/jobs_sqlite/job_changes.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include "server/jobs/job_json.h"
#include "server/jobs/speaker_rename.h"
#include "server/jobs_sqlite/expiry.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/search_index.h"
#include "server/jobs_sqlite/turns.h"

namespace server {
namespace {

template <class... Values>
void write(SQLite::Database& db, const char* sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  SQLite::bind(statement, values...);
  statement.exec();
}

std::optional<Job> job_on_disk(SQLite::Database& db, const std::string& id,
                               const std::string& owner) {
  SQLite::Statement query(db, "SELECT * FROM main.jobs WHERE id = ? AND owner = ?");
  SQLite::bind(query, id, owner);
  return read_first(query);
}

Result<void> check_pinned(SQLite::Database& db, const std::string& owner, std::int64_t most) {
  SQLite::Statement query(db, "SELECT count(*) FROM main.jobs WHERE owner = ? AND pinned = 1");
  SQLite::bind(query, owner);
  query.executeStep();
  if (query.getColumn(0).getInt64() < most) return {};
  return too_many_pinned(most);
}

// Unpinned, a job is kept for its whole time again.
constexpr char set_expiry[] =
    "UPDATE main.jobs SET expires = iif(finished, {}, 0) WHERE number = ?1";

void leave_line_in_memory(SQLite::Database& db, const std::string& id) {
  SQLite::Statement query(db, "SELECT number FROM memory.jobs WHERE id = ?");
  SQLite::bind(query, id);
  if (query.executeStep()) give_turn_back(db, in_memory, query.getColumn(0).getInt64());
}

// One that runs has had a turn in memory, and is put back where its new line stands.
void take_turn_on_disk(SQLite::Database& db, const Job& job) {
  const Line line{on_disk, job.request.bulk};
  SQLite::Statement query(db, "SELECT cost FROM main.jobs WHERE number = ?");
  SQLite::bind(query, job.number);
  if (!query.executeStep()) return;
  const double cost = query.getColumn(0).getDouble();
  query.reset();
  const double turn = job.state == JobState::queued ? take_turn(db, line, job.request.owner, cost)
                                                    : turn_reached(db, line);
  write(db, "UPDATE main.jobs SET turn = ?, is_bulk = ? WHERE number = ?", turn,
        line.is_bulk ? 1 : 0, job.number);
}

}  // namespace

void move_to_disk(SQLite::Database& db, const std::string& id) {
  leave_line_in_memory(db, id);
  write(db, "UPDATE memory.jobs SET detached = 1 WHERE id = ?", id);
  write(db, "INSERT INTO main.jobs SELECT * FROM memory.jobs WHERE id = ?", id);
  write(db,
        "INSERT INTO main.options SELECT * FROM memory.options WHERE job = "
        "(SELECT number FROM memory.jobs WHERE id = ?)",
        id);
  write(db, "INSERT INTO main.segments SELECT * FROM memory.segments WHERE job = ?", id);
  SQLite::Statement query(db, "DELETE FROM memory.jobs WHERE id = ? RETURNING *");
  SQLite::bind(query, id);
  const auto job = read_changed(query);
  if (!job) return;
  if (!has_ended(job->state)) take_turn_on_disk(db, *job);
  index_job(db, *job);
}

Result<Job> job_to_change(SQLite::Database& db, const std::string& id, const std::string& owner) {
  SQLite::Statement in_memory(db, "SELECT 1 FROM memory.jobs WHERE id = ? AND owner = ?");
  SQLite::bind(in_memory, id, owner);
  const bool moves = in_memory.executeStep();
  in_memory.reset();
  if (moves) move_to_disk(db, id);
  auto job = job_on_disk(db, id, owner);
  if (!job) return job_not_found(id);
  return *std::move(job);
}

Result<Job> change_job(SQLite::Database& db, const JobStoreSettings& settings, double now,
                       const JobOfOwner& whose, const JobChange& change) {
  const auto job = job_to_change(db, whose.id, whose.owner);
  if (!job) return job.error();
  if (change.pinned.value_or(false) && !job->pinned) {
    const auto fits = check_pinned(db, whose.owner, settings.max_pinned_per_owner);
    if (!fits) return fits.error();
  }
  if (change.speaker_names) {
    const auto names = changed_names(*job, *change.speaker_names);
    if (!names) return names.error();
    write(db, "UPDATE main.jobs SET speaker_names = ? WHERE number = ?", encode(*names),
          job->number);
  }
  if (change.title) {
    write(db, "UPDATE main.jobs SET title = ? WHERE number = ?", *change.title, job->number);
  }
  if (change.pinned) {
    write(db, "UPDATE main.jobs SET pinned = ? WHERE number = ?", *change.pinned ? 1 : 0,
          job->number);
  }
  if (change.is_work()) write(db, "UPDATE main.jobs SET kept = 1 WHERE number = ?", job->number);
  write(db, fmt::format(set_expiry, expiry).c_str(), job->number, now, settings.keep_s);
  auto changed = job_on_disk(db, whose.id, whose.owner);
  if (change.title) index_title(db, *changed);
  if (change.speaker_names) index_speakers(db, *changed);
  return *std::move(changed);
}

void write_names(SQLite::Database& db, const char* database, const std::string& id,
                 const protocol::SpeakerNames& names) {
  SQLite::Statement update(
      db, fmt::format("UPDATE {}.jobs SET speaker_names = ?, kept = 1, expires = 0 WHERE id = ? "
                      "RETURNING *",
                      database));
  SQLite::bind(update, encode(names), id);
  if (const auto job = read_changed(update)) index_speakers(db, *job);
}

}  // namespace server
