#include "server/jobs_sqlite/text_rows.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <limits>

namespace server {
namespace {

// The segments of version ?3 of the job with id ?1 and number ?2, between two places: those that
// were decided and not changed by then, and the last revision of each other one.
std::string rows_of_version(const char* database, const char* range) {
  return fmt::format(
      "SELECT number AS segment, number AS place, segment AS content FROM {0}.segments "
      "WHERE job = ?1 AND number {1} AND NOT EXISTS (SELECT 1 FROM {0}.revisions AS r "
      "WHERE r.job = ?2 AND r.segment = number AND r.version <= ?3) "
      "UNION ALL SELECT segment, place, content FROM {0}.revisions AS r "
      "WHERE job = ?2 AND place {1} AND version <= ?3 AND content IS NOT NULL "
      "AND NOT EXISTS (SELECT 1 FROM {0}.revisions AS later WHERE later.job = ?2 "
      "AND later.segment = r.segment AND later.version > r.version AND later.version <= ?3)",
      database, range);
}

}  // namespace

std::optional<double> SqliteTextRows::reach(bool is_forward, double place) const {
  SQLite::Statement query(
      db_, fmt::format("SELECT place FROM {}.revisions WHERE job = ? AND place {} ? "
                       "ORDER BY place {} LIMIT 1 OFFSET ?",
                       database_, is_forward ? ">" : "<", is_forward ? "ASC" : "DESC"));
  SQLite::bind(query, number_, place, text_slice_looks);
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getDouble();
}

TextSlice SqliteTextRows::query(int version, bool is_forward, double place, int limit,
                                std::size_t bytes) const {
  constexpr double end = std::numeric_limits<double>::max();
  const auto reached = reach(is_forward, place);
  const char* range = is_forward ? "> ?4 AND place <= ?5" : "< ?4 AND place >= ?5";
  SQLite::Statement query(
      db_, fmt::format("SELECT * FROM ({}) ORDER BY place {} LIMIT ?6",
                       rows_of_version(database_, range), is_forward ? "ASC" : "DESC"));
  SQLite::bind(query, id_, number_, version, place, reached.value_or(is_forward ? end : -end),
               limit);
  TextSlice slice;
  std::size_t read = 0;
  bool has_more = true;
  while (read < bytes && (has_more = query.executeStep())) {
    slice.segments.push_back({query.getColumn(0).getInt64(), query.getColumn(1).getDouble(),
                              query.getColumn(2).getString()});
    read += slice.segments.back().content.size();
  }
  const bool is_full = has_more || std::ssize(slice.segments) == limit;
  slice.next = is_full && !slice.segments.empty() ? slice.segments.back().place : reached;
  return slice;
}

TextSlice SqliteTextRows::read(int version, double behind, int limit, std::size_t bytes) const {
  return query(version, true, behind, limit, bytes);
}

TextSlice SqliteTextRows::before(int version, double place) const {
  return query(version, false, place, 1, 1);
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

IdSlice SqliteTextRows::changed_since(int version, std::int64_t above, int limit) const {
  SQLite::Statement end(
      db_, fmt::format("SELECT segment FROM {}.revisions WHERE job = ? AND segment > ? "
                       "ORDER BY segment LIMIT 1 OFFSET ?",
                       database_));
  SQLite::bind(end, number_, above, text_slice_looks);
  IdSlice slice;
  if (end.executeStep()) slice.next = end.getColumn(0).getInt64();
  SQLite::Statement query(
      db_, fmt::format("SELECT DISTINCT segment FROM {}.revisions WHERE job = ? AND segment > ? "
                       "AND segment <= ? AND version > ? ORDER BY segment LIMIT ?",
                       database_));
  SQLite::bind(query, number_, above, slice.next.value_or(std::numeric_limits<std::int64_t>::max()),
               version, limit);
  while (query.executeStep()) slice.ids.push_back(query.getColumn(0).getInt64());
  if (std::ssize(slice.ids) == limit) slice.next = slice.ids.back();
  return slice;
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

void write_rows(SQLite::Database& db, std::int64_t job, int version,
                std::span<const DraftRow> rows) {
  SQLite::Statement add(db,
                        "INSERT OR REPLACE INTO main.revisions VALUES (?, ?, ?, ?, nullif(?, ''))");
  for (const DraftRow& row : rows) {
    add.reset();
    SQLite::bind(add, job, row.segment, version, row.place, row.content);
    add.exec();
  }
}

}  // namespace server
