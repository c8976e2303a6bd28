#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/text_edit.h"

namespace server {

// A segment and its place among those of its version. The places of segments that were decided are
// 0, 1, 2 …; what is split off from one comes between it and the next.
struct PlacedSegment {
  std::int64_t id = 0;
  double place = 0;
  protocol::Segment segment{};  // its speaker is a label
};

// The rows of a job's text in all versions. Members throw SQLite::Exception; a row that cannot be
// read is left out.
class TextRows {
 public:
  // `database` is one of those of schema.h; only rows on the disk are written.
  TextRows(SQLite::Database& db, const char* database, std::string id, std::int64_t number)
      : db_(db), database_(database), id_(std::move(id)), number_(number) {}

  // Returns up to `limit` segments behind a place, after `skipped` others. No segment lies at a
  // place below 0.
  std::vector<PlacedSegment> read(int version, double behind, int limit, int skipped = 0) const;
  std::optional<PlacedSegment> find(int version, std::int64_t segment) const;
  std::optional<PlacedSegment> before(int version, double place) const;
  std::optional<PlacedSegment> behind(int version, double place) const;
  int count(int version) const;
  // Returns the texts of all segments by their ids.
  std::vector<std::pair<std::int64_t, std::string>> texts(int version) const;
  // Returns the place of a segment that some version has.
  std::optional<double> place_of(std::int64_t segment) const;
  // Returns the segments that versions after this one have changed.
  std::vector<std::int64_t> changed_since(int version) const;
  // Returns an id that no version has used.
  std::int64_t unused_id() const;

  void write(int version, const PlacedSegment& segment);
  void remove(int version, std::int64_t segment, double place);

 private:
  std::vector<PlacedSegment> query(int version, const char* which, const char* order, double place,
                                   int limit, int skipped) const;

  SQLite::Database& db_;
  const char* database_;
  std::string id_;
  std::int64_t number_;
};

}  // namespace server
