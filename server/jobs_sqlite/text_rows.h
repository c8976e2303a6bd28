#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/text_draft.h"
#include "server/jobs/text_rows.h"

namespace server {

// The rows of a job's text. Members throw SQLite::Exception.
class SqliteTextRows final : public TextRows {
 public:
  // `database` is one of those of schema.h.
  SqliteTextRows(SQLite::Database& db, const char* database, std::string id, std::int64_t number)
      : db_(db), database_(database), id_(std::move(id)), number_(number) {}

  TextSlice read(int version, double behind, int limit, std::size_t bytes) const override;
  std::optional<StoredSegment> find(int version, std::int64_t segment) const override;
  TextSlice before(int version, double place) const override;
  std::optional<double> place_of(std::int64_t segment) const override;
  IdSlice changed_since(int version, std::int64_t above, int limit) const override;
  std::int64_t unused_id() const override;

 private:
  TextSlice query(int version, bool is_forward, double place, int limit, std::size_t bytes) const;

  SQLite::Database& db_;
  const char* database_;
  std::string id_;
  std::int64_t number_;
};

// Writes rows of a version, on the disk.
void write_rows(SQLite::Database& db, std::int64_t job, int version,
                std::span<const DraftRow> rows);

}  // namespace server
