#include "server/jobs_sqlite/removed_jobs.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs_sqlite/search_index.h"

namespace server {
namespace {

// The bytes of a piece. Removing a text from the index of searches reads all its trigrams, and a
// piece is what the log of a full disk has to hold.
constexpr std::int64_t piece_bytes = 256 << 10;
constexpr std::int64_t piece_of_index_bytes = 16 << 10;
constexpr std::int64_t most_bytes_at_once = 1 << 20;  // in one transaction
constexpr std::int64_t least_to_merge = 256 << 10;
constexpr std::int64_t index_bytes_per_text_byte = 4;
constexpr std::int64_t row_bytes = 100;  // that a row takes besides its content

struct LeftJob {
  std::int64_t number = 0;
  std::string id{};
};

// The rows of one table that belong to a job; ?1 is the job's number, and ?2 its id.
struct LeftRows {
  const char* table;
  const char* key;      // identifies a row among those of the job
  const char* content;  // whose bytes are counted
  const char* is_of;
  std::int64_t most_bytes;  // of a piece
  bool is_index = false;
};

constexpr std::array all_rows{
    LeftRows{"segments", "number", "segment", "job = ?2 AND ?1 IS NOT NULL", piece_bytes},
    LeftRows{"revisions", "rowid", "content", "job = ?1 AND ?2 IS NOT NULL", piece_bytes},
    LeftRows{"versions", "version", "ops", "job = ?1 AND ?2 IS NOT NULL", piece_bytes},
    LeftRows{"options", "job", "options", "job = ?1 AND ?2 IS NOT NULL", piece_bytes},
    LeftRows{"search", "rowid", "text",
             "rowid BETWEEN ?1 << 20 AND ?1 << 20 | 1048575 AND ?2 IS NOT NULL",
             piece_of_index_bytes, true},
};
static_assert(row_bits == 20);

// Removes at least one row, and not many more bytes than those of a piece. Returns how many bytes;
// 0: there is no row.
std::int64_t remove_piece(SQLite::Database& db, const LeftJob& job, const LeftRows& rows) {
  std::int64_t bytes = 0;
  std::vector<std::int64_t> keys;
  SQLite::Statement query(
      db, fmt::format("SELECT {}, coalesce(length({}), 0) FROM main.{} WHERE {}", rows.key,
                      rows.content, rows.table, rows.is_of));
  SQLite::bind(query, job.number, job.id);
  while (bytes < rows.most_bytes && query.executeStep()) {
    keys.push_back(query.getColumn(0).getInt64());
    bytes += row_bytes + query.getColumn(1).getInt64();
  }
  query.reset();
  SQLite::Statement remove(db, fmt::format("DELETE FROM main.{} WHERE {} AND {} = ?3", rows.table,
                                           rows.is_of, rows.key));
  for (const auto key : keys) {
    SQLite::bind(remove, job.number, job.id, key);
    remove.exec();
    remove.reset();
  }
  return bytes;
}

void note_removed_text(SQLite::Database& db, std::int64_t bytes) {
  SQLite::Statement note(db, "UPDATE main.removed_text SET bytes = bytes + ?");
  SQLite::bind(note, bytes);
  note.exec();
}

std::int64_t remove_any_piece(SQLite::Database& db, const LeftJob& job) {
  for (const auto& rows : all_rows) {
    const auto bytes = remove_piece(db, job, rows);
    if (bytes > 0 && rows.is_index) note_removed_text(db, bytes);
    if (bytes > 0) return bytes;
  }
  return 0;
}

std::optional<LeftJob> next_left(SQLite::Database& db) {
  SQLite::Statement query(db, "SELECT job, id FROM main.removed_jobs LIMIT 1");
  if (!query.executeStep()) return std::nullopt;
  return LeftJob{query.getColumn(0).getInt64(), query.getColumn(1).getString()};
}

void forget_job(SQLite::Database& db, const LeftJob& job) {
  SQLite::Statement forget(db, "DELETE FROM main.removed_jobs WHERE job = ?");
  SQLite::bind(forget, job.number);
  forget.exec();
}

}  // namespace

bool remove_left(SQLite::Database& db, std::chrono::milliseconds longest) {
  auto job = next_left(db);
  if (!job) return false;
  const auto end = std::chrono::steady_clock::now() + longest;
  SQLite::Transaction transaction(db);
  std::int64_t bytes = 0;
  while (job && bytes < most_bytes_at_once && std::chrono::steady_clock::now() < end) {
    const auto removed = remove_any_piece(db, *job);
    bytes += removed;
    if (removed > 0) continue;
    forget_job(db, *job);
    job = next_left(db);
  }
  transaction.commit();
  return job.has_value();
}

// A merge that has nothing left to do changes fewer than two rows.
bool merge_index(SQLite::Database& db) {
  const auto removed = db.execAndGet("SELECT bytes FROM main.removed_text").getInt64();
  const auto pages = db.execAndGet("PRAGMA main.page_count").getInt64() -
                     db.execAndGet("PRAGMA main.freelist_count").getInt64();
  const auto bytes = pages * db.execAndGet("PRAGMA main.page_size").getInt64();
  if (removed < least_to_merge || removed * index_bytes_per_text_byte < bytes / 4) return false;
  const int before = db.getTotalChanges();
  db.exec("INSERT INTO main.search (search, rank) VALUES ('merge', -32)");
  if (db.getTotalChanges() - before >= 2) return true;
  db.exec("UPDATE main.removed_text SET bytes = 0");
  return false;
}

}  // namespace server
