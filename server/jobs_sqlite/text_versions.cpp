#include "server/jobs_sqlite/text_versions.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <span>
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

// A slice of a draft takes some ten milliseconds: to index a byte of text costs as much as to write
// many of a row.
constexpr std::size_t draft_slice_bytes = 512 << 10;
constexpr std::size_t index_weight = 16;
constexpr std::size_t bytes_of_a_row = 1 << 10;

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

// Makes the version of a draft, whose rows are written, that of the job: everybody sees it from now
// on. What is not indexed now is read anew by index_next(), with the names.
void write_version(SQLite::Database& db, const Job& job, const TextDraft& draft, double now,
                   bool is_indexed_now) {
  const TextChange& change = draft.change;
  SQLite::Statement add(db, "INSERT INTO main.versions VALUES (?, ?, ?, ?)");
  SQLite::bind(add, job.number, change.version, now, draft.origin);
  add.exec();
  SQLite::Statement update(db,
                           "UPDATE main.jobs SET version = ?, segments = ?, speaker_names = ?, "
                           "kept = 1, expires = 0 WHERE number = ?");
  SQLite::bind(update, change.version, change.segments, encode(change.speaker_names), job.number);
  update.exec();
  if (!is_indexed_now) return;
  for (const DraftRow& row : draft.rows) index_segment(db, job.number, row.segment, row.text);
  if (change.speaker_names == job.speaker_names) return;
  Job named = job;
  named.speaker_names = change.speaker_names;
  index_speakers(db, named);
}

// Returns whether this is the first of several slices, or one of those.
bool has_draft(SQLite::Database& db, std::int64_t job) {
  SQLite::Statement query(db, "SELECT 1 FROM main.drafts WHERE job = ?");
  SQLite::bind(query, job);
  return query.executeStep();
}

template <class... Values>
int change(SQLite::Database& db, const char* sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  SQLite::bind(statement, values...);
  return statement.exec();
}

// Returns the job if its text still has the version for which the draft was made.
boost::system::result<Job, EditRefusal> job_of_draft(SQLite::Database& db, const TextDraft& draft) {
  const Job& read = draft.job;
  return job_to_edit(db, {read.id, read.request.owner, read.version});
}

// Returns the row behind the last one of the next slice.
std::size_t end_of_slice(const TextDraft& draft) {
  std::size_t end = draft.written;
  std::size_t bytes = 0;
  while (end < draft.rows.size() && bytes < draft_slice_bytes) {
    bytes += draft.rows[end].content.size() + draft.rows[end].text.size() * index_weight;
    bytes += bytes_of_a_row;
    ++end;
  }
  return end;
}

// A text that leaves the index costs as much as one that comes.
bool changes_little_of_index(SQLite::Database& db, std::int64_t job, const TextDraft& draft) {
  std::size_t bytes = 0;
  for (const DraftRow& row : draft.rows) {
    bytes += row.text.size() + indexed_bytes(db, job, row.segment);
    if (bytes * index_weight > draft_slice_bytes) return false;
  }
  return true;
}

}  // namespace

void prepare_drafts_table(SQLite::Database& db) {
  db.exec(
      "CREATE TABLE IF NOT EXISTS main.drafts (job INTEGER PRIMARY KEY "
      "REFERENCES jobs (number) ON DELETE CASCADE) STRICT");
}

EditBegin begin_edit(SQLite::Database& db, const TextTarget& target) {
  SQLite::Transaction transaction(db);
  auto job = job_to_edit(db, target);
  if (!job) return job.error();
  const bool has_more = drop_draft(db, job->number);
  if (auto full = check_room(*job, count_revisions(db, *job))) return *std::move(full);
  transaction.commit();
  if (has_more) return std::optional<Job>();
  return std::optional(*std::move(job));
}

// Rows of the next version are not looked at by anybody before the job has that version. What is
// written in one slice, and changes little of the index, is indexed with it; more is indexed later,
// and read until then.
DraftWritten write_draft(SQLite::Database& db, TextDraft& draft, double now) {
  SQLite::Transaction transaction(db);
  const auto job = job_of_draft(db, draft);
  if (!job) return job.error();
  const std::size_t end = end_of_slice(draft);
  const bool is_last = end == draft.rows.size();
  const bool is_indexed_now =
      is_last && draft.written == 0 && changes_little_of_index(db, job->number, draft);
  const auto rows = std::span(draft.rows).subspan(draft.written, end - draft.written);
  write_rows(db, job->number, draft.change.version, rows);
  if (draft.written == 0 && !is_last) {
    change(db, "INSERT OR IGNORE INTO main.drafts VALUES (?)", job->number);
  }
  if (is_last && !is_indexed_now) {
    change(db, "DELETE FROM main.drafts WHERE job = ?", job->number);
    index_later(db, job->number);
  }
  if (is_last) {
    draft.change.speaker_names = names_after(draft, *job);
    write_version(db, *job, draft, now, is_indexed_now);
  }
  transaction.commit();
  draft.written = end;
  return is_last;
}

bool drop_draft(SQLite::Database& db, std::int64_t job) {
  if (!has_draft(db, job)) return false;
  constexpr int rows_of_a_slice = 500;
  const int removed = change(db,
                             "DELETE FROM main.revisions WHERE rowid IN (SELECT r.rowid FROM "
                             "main.revisions AS r JOIN main.jobs AS j ON j.number = r.job "
                             "WHERE r.job = ? AND r.version > j.version LIMIT ?)",
                             job, rows_of_a_slice);
  if (removed == rows_of_a_slice) return true;
  change(db, "DELETE FROM main.drafts WHERE job = ?", job);
  return false;
}

void drop_drafts(SQLite::Database& db) {
  std::vector<std::int64_t> jobs;
  SQLite::Statement query(db, "SELECT job FROM main.drafts");
  while (query.executeStep()) jobs.push_back(query.getColumn(0).getInt64());
  for (const auto job : jobs) {
    while (drop_draft(db, job)) {
    }
  }
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
