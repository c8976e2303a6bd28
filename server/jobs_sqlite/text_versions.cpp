#include "server/jobs_sqlite/text_versions.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <utility>

#include "server/jobs/edited_text.h"
#include "server/jobs/job_json.h"
#include "server/jobs_sqlite/job_changes.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/search_index.h"
#include "server/jobs_sqlite/stored_bytes.h"
#include "server/jobs_sqlite/text_rows.h"

namespace server {
namespace {

// Finds the job whose text is to be changed.
boost::system::result<Job, EditRefusal> job_to_edit(SQLite::Database& db,
                                                    const TextTarget& target) {
  auto job = job_to_change(db, target.id, target.owner);
  if (!job) return EditRefusal{.error = job.error()};
  if (auto refusal = check_editable(*job, target)) return *std::move(refusal);
  return *std::move(job);
}

int count_revisions(SQLite::Database& db, const Job& job) {
  SQLite::Statement query(db,
                          "SELECT count(*) FROM (SELECT 1 FROM main.revisions WHERE job = ? "
                          "LIMIT ?)");
  SQLite::bind(query, job.number, max_revisions);
  query.executeStep();
  return query.getColumn(0).getInt();
}

void write_version(SQLite::Database& db, const Job& job, const TextChange& change,
                   const std::string& origin, double now) {
  SQLite::Statement add(db, "INSERT INTO main.versions VALUES (?, ?, ?, ?)");
  SQLite::bind(add, job.number, change.version, now, origin);
  add.exec();
  SQLite::Statement update(db,
                           "UPDATE main.jobs SET version = ?, segments = ?, speaker_names = ? "
                           "WHERE number = ?");
  SQLite::bind(update, change.version, change.segments, encode(change.speaker_names), job.number);
  update.exec();
  for (const auto& [id, segment] : change.changed) {
    index_segment(db, job.number, id, segment.text);
  }
  for (const auto id : change.removed) index_segment(db, job.number, id, "");
  if (change.speaker_names == job.speaker_names) return;
  Job named = job;
  named.speaker_names = change.speaker_names;
  index_speakers(db, named);
}

// Makes a version by `work(rows, job)`. Without a change nothing is committed.
template <class Work>
EditResult make_version(SQLite::Database& db, const TextTarget& target, double now, Work work) {
  SQLite::Transaction transaction(db);
  const auto job = job_to_edit(db, target);
  if (!job) return job.error();
  if (auto full = check_room(*job, count_revisions(db, *job))) return *std::move(full);
  SqliteTextRows rows(db, on_disk, job->id, job->number);
  const auto stored = stored_of_job(db, job->number);
  auto edited = work(rows, *job);
  if (!edited) return edited.error();
  if (edited->change.version == job->version) return std::move(edited->change);
  write_version(db, *job, edited->change, edited->origin, now);
  const auto growth = stored_of_job(db, job->number) - stored;
  if (auto full = check_growth(*job, target, growth)) return *std::move(full);
  transaction.commit();
  return std::move(edited->change);
}

}  // namespace

EditResult edit_text(SQLite::Database& db, const TextTarget& target,
                     std::span<const TextEdit> edits, double now) {
  return make_version(db, target, now, [&](TextRows& rows, const Job& job) {
    return apply_edits(rows, job, edits);
  });
}

EditResult restore_text(SQLite::Database& db, const TextTarget& target, int version, double now) {
  return make_version(db, target, now, [&](TextRows& rows, const Job& job) {
    return apply_restore(rows, job, version);
  });
}

Result<TextPage> read_page(SQLite::Database& db, const char* database, const std::string& id,
                           std::optional<int> version, std::optional<std::int64_t> behind,
                           int limit) {
  SQLite::Statement query(
      db, fmt::format("SELECT number, version FROM {}.jobs WHERE id = ?", database));
  SQLite::bind(query, id);
  if (!query.executeStep()) return job_not_found(id);
  const SqliteTextRows rows(db, database, id, query.getColumn(0).getInt64());
  return read_page(rows, query.getColumn(1).getInt(), version, behind, limit);
}

std::vector<TextVersion> read_versions(SQLite::Database& db, const std::string& id, int from,
                                       int limit) {
  SQLite::Statement query(db,
                          "SELECT version, created, ops FROM main.versions WHERE job = "
                          "(SELECT number FROM main.jobs WHERE id = ?) AND version <= ? "
                          "ORDER BY version DESC LIMIT ?");
  SQLite::bind(query, id, from, limit);
  std::vector<TextVersion> found;
  while (query.executeStep()) {
    found.push_back(text_version(query.getColumn(0).getInt(), query.getColumn(1).getDouble(),
                                 query.getColumn(2).getString()));
  }
  return found;
}

}  // namespace server
