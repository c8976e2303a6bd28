#include "server/jobs_sqlite/search_index.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <optional>
#include <utility>

#include "protocol/text_rules.h"
#include "server/jobs/folded_text.h"
#include "server/jobs/searched_names.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/text_rows.h"

namespace server {
namespace {

// Writes rows of the index. The statements are made once for the rows of a slice.
class IndexRows {
 public:
  explicit IndexRows(SQLite::Database& db)
      : remove_(db, "DELETE FROM main.search WHERE rowid = ?"),
        add_(db, "INSERT INTO main.search (rowid, text) VALUES (?, ?)") {}

  void remove(std::int64_t row) {
    remove_.reset();
    SQLite::bind(remove_, row);
    remove_.exec();
  }

  void put(std::int64_t row, std::string_view text) {
    remove(row);
    const auto content = protocol::strip(text);
    if (content.empty()) return;
    add_.reset();
    SQLite::bind(add_, row, folded_utf8(content));
    add_.exec();
  }

 private:
  SQLite::Statement remove_, add_;
};

void put(SQLite::Database& db, std::int64_t row, std::string_view text) {
  IndexRows(db).put(row, text);
}

void put_title(SQLite::Database& db, const Job& job) {
  const std::string& file = job.request.title;
  put(db, search_row(job.number, title_row), job.title.empty() ? file : job.title + "\n" + file);
}

void put_speakers(SQLite::Database& db, const Job& job) {
  put(db, search_row(job.number, names_row),
      fmt::format("{}", fmt::join(names_in(db, on_disk, job), "\n")));
}

// So many bytes of rows, or of texts, are indexed in one slice, which takes some ten milliseconds.
constexpr std::size_t indexed_at_once = 24 << 10;

Indexing begin_of(const Job& job) {
  return {.job = job.number,
          .version = job.version,
          .segments = job.segments,
          .title = job.title,
          .names = job.speaker_names};
}

bool is_of_same_text(const Indexing& begin, Indexing reached) {
  reached.is_cleared = begin.is_cleared;
  reached.place = begin.place;
  return begin == reached;
}

// Removes rows of a job, and returns whether none is left.
bool clear_slice(SQLite::Database& db, std::int64_t job) {
  std::vector<std::int64_t> rows;
  SQLite::Statement query(
      db, "SELECT rowid, length(text) FROM main.search WHERE rowid BETWEEN ? AND ?");
  SQLite::bind(query, search_row(job, 0), search_row(job, title_row));
  bool is_last = true;
  for (std::size_t bytes = 0; is_last && query.executeStep();) {
    rows.push_back(query.getColumn(0).getInt64());
    bytes += static_cast<std::size_t>(query.getColumn(1).getInt64());
    is_last = bytes < indexed_at_once;
  }
  query.reset();
  IndexRows index(db);
  for (const auto row : rows) index.remove(row);
  return is_last;
}

// Indexes the next part of a job, and returns whether it was the last.
bool index_slice(SQLite::Database& db, const Job& job, Indexing& reached) {
  if (!reached.is_cleared) {
    reached.is_cleared = clear_slice(db, job.number);
    return false;
  }
  const SqliteTextRows rows(db, on_disk, job.id, job.number);
  const auto slice = rows.read(job.version, reached.place, text_slice_rows, indexed_at_once);
  IndexRows index(db);
  for (const auto& stored : slice.segments) {
    const auto one = decoded(stored);
    if (one && one->id < first_unused_segment) {
      index.put(search_row(job.number, one->id), one->segment.text);
    }
  }
  if (slice.next) {
    reached.place = *slice.next;
    return false;
  }
  put_title(db, job);
  put_speakers(db, job);
  SQLite::Statement done(db, "UPDATE main.jobs SET indexed = 1 WHERE number = ?");
  SQLite::bind(done, job.number);
  done.exec();
  return true;
}

std::optional<Job> job_to_index(SQLite::Database& db, std::int64_t number) {
  SQLite::Statement query(db, "SELECT * FROM main.jobs WHERE number = ? AND indexed = 0");
  SQLite::bind(query, number);
  return read_first(query);
}

// Returns the owner behind this one, or the first of all, among those with jobs that wait.
std::optional<std::string> owner_behind(SQLite::Database& db, const std::string& owner) {
  for (const char* order : {"owner > ?", "owner <= ?"}) {
    SQLite::Statement query(
        db, fmt::format("SELECT owner FROM main.jobs WHERE indexed = 0 AND {} ORDER BY owner "
                        "LIMIT 1",
                        order));
    SQLite::bind(query, owner);
    if (query.executeStep()) return query.getColumn(0).getString();
  }
  return std::nullopt;
}

// Returns the number of the job whose turn it is; 0: none waits.
std::int64_t number_of_next(SQLite::Database& db, IndexTurns& turns) {
  const auto owner = owner_behind(db, turns.owner);
  if (!owner) {
    turns = {};
    return 0;
  }
  turns.owner = *owner;
  std::int64_t& last = turns.last[*owner];
  for (const std::int64_t below : {last, std::numeric_limits<std::int64_t>::max()}) {
    SQLite::Statement query(db,
                            "SELECT coalesce(max(number), 0) FROM main.jobs WHERE indexed = 0 AND "
                            "owner = ? AND number < ?");
    SQLite::bind(query, *owner, below);
    query.executeStep();
    last = query.getColumn(0).getInt64();
    if (last != 0) break;
  }
  return last;
}

}  // namespace

std::int64_t search_row(std::int64_t job, std::int64_t row) {
  return job << row_bits | row;
}

std::int64_t job_of_row(std::int64_t row) {
  return row >> row_bits;
}

bool is_indexed(SQLite::Database& db, std::int64_t job) {
  SQLite::Statement query(db, "SELECT 1 FROM main.jobs WHERE number = ? AND indexed = 1");
  SQLite::bind(query, job);
  return query.executeStep();
}

void index_title(SQLite::Database& db, const Job& job) {
  if (is_indexed(db, job.number)) put_title(db, job);
}

void index_speakers(SQLite::Database& db, const Job& job) {
  if (is_indexed(db, job.number)) put_speakers(db, job);
}

void index_segment(SQLite::Database& db, std::int64_t job, std::int64_t segment,
                   const std::string& text) {
  if (segment < first_unused_segment && is_indexed(db, job))
    put(db, search_row(job, segment), text);
}

std::size_t indexed_bytes(SQLite::Database& db, std::int64_t job, std::int64_t segment) {
  if (segment >= first_unused_segment) return 0;
  SQLite::Statement query(db, "SELECT length(CAST(text AS BLOB)) FROM main.search WHERE rowid = ?");
  SQLite::bind(query, search_row(job, segment));
  return query.executeStep() ? static_cast<std::size_t>(query.getColumn(0).getInt64()) : 0;
}

void index_later(SQLite::Database& db, std::int64_t job) {
  SQLite::Statement update(db, "UPDATE main.jobs SET indexed = 0 WHERE number = ?");
  SQLite::bind(update, job);
  update.exec();
}

void index_job(SQLite::Database& db, const Job& job) {
  index_later(db, job.number);
  if (job.segments > most_read_at_once) return;
  Indexing reached = begin_of(job);
  while (!index_slice(db, job, reached)) {
  }
}

bool index_next(SQLite::Database& db, IndexTurns& turns) {
  auto job = job_to_index(db, turns.reached.job);
  Indexing next;
  if (job && is_of_same_text(begin_of(*job), turns.reached)) {
    next = turns.reached;
  } else {
    job = job_to_index(db, number_of_next(db, turns));
    if (!job) return false;
    next = begin_of(*job);
  }
  SQLite::Transaction transaction(db);
  index_slice(db, *job, next);
  transaction.commit();
  turns.reached = std::move(next);
  return true;
}

std::vector<std::string> names_in(SQLite::Database& db, const char* database, const Job& job) {
  std::vector<std::string> speakers;
  SQLite::Statement query(
      db, fmt::format("SELECT DISTINCT json_extract(segment, '$.speaker') FROM {}.segments "
                      "WHERE job = ?",
                      database));
  SQLite::bind(query, job.id);
  while (query.executeStep()) speakers.push_back(query.getColumn(0).getString());
  return searched_names(job, speakers);
}

}  // namespace server
