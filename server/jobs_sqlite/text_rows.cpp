#include "server/jobs_sqlite/text_rows.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

namespace server {
namespace {

// The segments of version ?3 of the job with id ?1 and number ?2: those that were decided and not
// changed by then, and the last revision of each other one.
std::string rows_of_version(const char* database, const char* which) {
  return fmt::format(
      "SELECT number AS segment, number AS place, segment AS content FROM {0}.segments "
      "WHERE job = ?1 AND number {1} AND NOT EXISTS (SELECT 1 FROM {0}.revisions AS r "
      "WHERE r.job = ?2 AND r.segment = number AND r.version <= ?3) "
      "UNION ALL SELECT segment, place, content FROM {0}.revisions AS r "
      "WHERE job = ?2 AND place {1} AND version <= ?3 AND content IS NOT NULL "
      "AND NOT EXISTS (SELECT 1 FROM {0}.revisions AS later WHERE later.job = ?2 "
      "AND later.segment = r.segment AND later.version > r.version AND later.version <= ?3)",
      database, which);
}

}  // namespace

std::vector<StoredSegment> SqliteTextRows::query(int version, const char* which, const char* order,
                                                 double place, int limit, int skipped,
                                                 std::size_t bytes) const {
  SQLite::Statement query(db_, fmt::format("{} ORDER BY place {} LIMIT ?5 OFFSET ?6",
                                           rows_of_version(database_, which), order));
  SQLite::bind(query, id_, number_, version, place, limit, skipped);
  std::vector<StoredSegment> found;
  for (std::size_t read = 0; read < bytes && query.executeStep();) {
    found.push_back({query.getColumn(0).getInt64(), query.getColumn(1).getDouble(),
                     query.getColumn(2).getString()});
    read += found.back().content.size();
  }
  return found;
}

std::vector<StoredSegment> SqliteTextRows::read(int version, double behind, int limit, int skipped,
                                                std::size_t bytes) const {
  return query(version, "> ?4", "ASC", behind, limit, skipped, bytes);
}

std::optional<StoredSegment> SqliteTextRows::before(int version, double place) const {
  auto found = query(version, "< ?4", "DESC", place, 1, 0, 1);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<StoredSegment> SqliteTextRows::behind(int version, double place) const {
  auto found = query(version, "> ?4", "ASC", place, 1, 0, 1);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<StoredSegment> SqliteTextRows::find(int version, std::int64_t segment) const {
  SQLite::Statement revision(
      db_, fmt::format("SELECT place, content FROM {}.revisions WHERE job = ? AND segment = ? "
                       "AND version <= ? ORDER BY version DESC LIMIT 1",
                       database_));
  SQLite::bind(revision, number_, segment, version);
  if (revision.executeStep()) {
    if (revision.getColumn(1).isNull()) return std::nullopt;
    return StoredSegment{segment, revision.getColumn(0).getDouble(),
                         revision.getColumn(1).getString()};
  }
  SQLite::Statement decided(
      db_, fmt::format("SELECT segment FROM {}.segments WHERE job = ? AND number = ?", database_));
  SQLite::bind(decided, id_, segment);
  if (!decided.executeStep()) return std::nullopt;
  return StoredSegment{segment, static_cast<double>(segment), decided.getColumn(0).getString()};
}

std::optional<double> SqliteTextRows::place_of(std::int64_t segment) const {
  SQLite::Statement query(
      db_, fmt::format("SELECT place FROM {0}.revisions WHERE job = ?1 AND segment = ?2 "
                       "UNION ALL SELECT number FROM {0}.segments WHERE job = ?3 AND number = ?2 "
                       "LIMIT 1",
                       database_));
  SQLite::bind(query, number_, segment, id_);
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getDouble();
}

std::vector<std::int64_t> SqliteTextRows::changed_since(int version, std::int64_t above,
                                                        int limit) const {
  SQLite::Statement query(
      db_, fmt::format("SELECT DISTINCT segment FROM {}.revisions WHERE job = ? AND segment > ? "
                       "AND version > ? ORDER BY segment LIMIT ?",
                       database_));
  SQLite::bind(query, number_, above, version, limit);
  std::vector<std::int64_t> found;
  while (query.executeStep()) found.push_back(query.getColumn(0).getInt64());
  return found;
}

std::int64_t SqliteTextRows::unused_id() const {
  SQLite::Statement query(
      db_,
      fmt::format(
          "SELECT 1 + max((SELECT coalesce(max(number), -1) FROM {0}.segments WHERE job = ?1), "
          "(SELECT coalesce(max(segment), -1) FROM {0}.revisions WHERE job = ?2))",
          database_));
  SQLite::bind(query, id_, number_);
  query.executeStep();
  return query.getColumn(0).getInt64();
}

void write_row(SQLite::Database& db, std::int64_t job, int version, const DraftRow& row) {
  SQLite::Statement add(db,
                        "INSERT OR REPLACE INTO main.revisions VALUES (?, ?, ?, ?, nullif(?, ''))");
  SQLite::bind(add, job, row.segment, version, row.place, row.content);
  add.exec();
}

}  // namespace server
