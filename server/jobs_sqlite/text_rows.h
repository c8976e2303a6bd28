#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/text_rows.h"

namespace server {

// The rows of a job's text. Members throw SQLite::Exception.
class SqliteTextRows final : public TextRows {
 public:
  // `database` is one of those of schema.h; only rows on the disk are written.
  SqliteTextRows(SQLite::Database& db, const char* database, std::string id, std::int64_t number)
      : db_(db), database_(database), id_(std::move(id)), number_(number) {}

  std::vector<PlacedSegment> read(int version, double behind, int limit,
                                  int skipped) const override;
  std::optional<PlacedSegment> find(int version, std::int64_t segment) const override;
  std::optional<PlacedSegment> before(int version, double place) const override;
  std::optional<PlacedSegment> behind(int version, double place) const override;
  int count(int version) const override;
  std::vector<std::pair<std::int64_t, std::string>> texts(int version) const override;
  std::optional<double> place_of(std::int64_t segment) const override;
  std::vector<std::int64_t> changed_since(int version) const override;
  std::int64_t unused_id() const override;

  void write(int version, const PlacedSegment& segment) override;
  void remove(int version, std::int64_t segment, double place) override;

 private:
  std::vector<PlacedSegment> query(int version, const char* which, const char* order, double place,
                                   int limit, int skipped) const;

  SQLite::Database& db_;
  const char* database_;
  std::string id_;
  std::int64_t number_;
};

}  // namespace server
