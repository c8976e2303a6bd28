#include "server/jobs_sqlite/text_rows.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>

namespace server {
namespace {

// The segments that some version has revised, with their places, from one to the next in the order
// of places: of a segment with a long history one revision is looked at. SQLite makes a row when it
// is asked for.
std::string revised_segments(const char* database, bool is_forward) {
  return fmt::format(
      "WITH RECURSIVE walk(row) AS (SELECT (SELECT rowid FROM {0}.revisions WHERE job = ?1 "
      "AND place {1} ?2 ORDER BY place {2}, segment {2} LIMIT 1) UNION ALL "
      "SELECT coalesce((SELECT rowid FROM {0}.revisions WHERE job = ?1 AND place = r.place "
      "AND segment {1} r.segment ORDER BY segment {2} LIMIT 1), (SELECT rowid FROM {0}.revisions "
      "WHERE job = ?1 AND place {1} r.place ORDER BY place {2}, segment {2} LIMIT 1)) FROM walk "
      "CROSS JOIN {0}.revisions AS r ON r.rowid = walk.row) "
      "SELECT r.place, r.segment FROM walk CROSS JOIN {0}.revisions AS r ON r.rowid = walk.row",
      database, is_forward ? ">" : "<", is_forward ? "ASC" : "DESC");
}

std::string decided_segments(const char* database, bool is_forward) {
  return fmt::format(
      "SELECT number, segment FROM {}.segments WHERE job = ?1 AND number {} ?2 ORDER BY number {}",
      database, is_forward ? ">" : "<", is_forward ? "ASC" : "DESC");
}

// Walks over the segments of all versions in the order of places, and tells what each is in one
// version.
class Walk {
 public:
  Walk(SQLite::Database& db, const char* database, bool is_forward)
      : is_forward_(is_forward),
        revised_(db, revised_segments(database, is_forward)),
        decided_(db, decided_segments(database, is_forward)),
        held_(db, fmt::format("SELECT content FROM {}.revisions WHERE job = ? AND segment = ? "
                              "AND version <= ? ORDER BY version DESC LIMIT 1",
                              database)) {}

  void begin(const std::string& id, std::int64_t number, int version, double place) {
    number_ = number;
    version_ = version;
    SQLite::bind(revised_, number, place);
    SQLite::bind(decided_, id, place);
    has_revised_ = revised_.executeStep();
    has_decided_ = decided_.executeStep();
  }

  // Returns the place of the next segment; nothing at the end.
  std::optional<double> place() {
    if (!has_revised_ && !has_decided_) return std::nullopt;
    if (!has_revised_) return decided_place();
    if (!has_decided_) return revised_place();
    const double revised = revised_place(), decided = decided_place();
    return is_forward_ ? std::min(revised, decided) : std::max(revised, decided);
  }

  // Returns the next segment, if the version has it, and goes on. One that was decided, and that
  // only later versions have revised, is in both lists.
  std::optional<StoredSegment> take() {
    const double at = *place();
    if (!has_revised_ || revised_place() != at) return take_decided();
    const std::int64_t segment = revised_.getColumn(1).getInt64();
    const bool is_decided = has_decided_ && decided_.getColumn(0).getInt64() == segment;
    has_revised_ = revised_.executeStep();
    held_.reset();
    SQLite::bind(held_, number_, segment, version_);
    if (!held_.executeStep()) return is_decided ? take_decided() : std::nullopt;
    if (is_decided) take_decided();
    if (held_.getColumn(0).isNull()) return std::nullopt;
    return StoredSegment{segment, at, held_.getColumn(0).getString()};
  }

 private:
  double revised_place() { return revised_.getColumn(0).getDouble(); }
  double decided_place() { return decided_.getColumn(0).getDouble(); }
  std::optional<StoredSegment> take_decided() {
    StoredSegment segment{decided_.getColumn(0).getInt64(), decided_place(),
                          decided_.getColumn(1).getString()};
    has_decided_ = decided_.executeStep();
    return segment;
  }

  bool is_forward_;
  SQLite::Statement revised_, decided_, held_;
  std::int64_t number_ = 0;
  int version_ = 0;
  bool has_revised_ = false, has_decided_ = false;
};

}  // namespace

// Segments that no version has together may have one place: all of it is looked at.
TextSlice SqliteTextRows::query(int version, bool is_forward, double place, int limit,
                                std::size_t bytes) const {
  Walk walk(db_, database_, is_forward);
  walk.begin(id_, number_, version, place);
  TextSlice slice;
  std::size_t read = 0;
  double last = place;
  for (int looks = 0; const auto next = walk.place(); ++looks) {
    const bool is_full = std::ssize(slice.segments) == limit || read >= bytes;
    if (*next != last && (is_full || looks >= text_slice_looks)) {
      slice.next = last;
      break;
    }
    last = *next;
    auto segment = walk.take();
    if (!segment) continue;
    read += segment->content.size();
    slice.segments.push_back(*std::move(segment));
  }
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
  SQLite::Statement next(db_, fmt::format("SELECT segment FROM {}.revisions WHERE job = ? "
                                          "AND segment > ? ORDER BY segment LIMIT 1",
                                          database_));
  SQLite::Statement changed(db_, fmt::format("SELECT 1 FROM {}.revisions WHERE job = ? "
                                             "AND segment = ? AND version > ? LIMIT 1",
                                             database_));
  IdSlice slice;
  for (int looks = 0; looks < text_slice_looks; ++looks) {
    next.reset();
    SQLite::bind(next, number_, above);
    if (!next.executeStep()) return slice;
    above = next.getColumn(0).getInt64();
    changed.reset();
    SQLite::bind(changed, number_, above, version);
    if (changed.executeStep()) slice.ids.push_back(above);
    if (std::ssize(slice.ids) == limit) break;
  }
  slice.next = above;
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
