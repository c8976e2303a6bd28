#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/text_draft.h"
#include "server/jobs/text_rows.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// The rows of a job's text. Before its first edit the decided segments lie together as they were
// written; prepare_for_edits() gives each a row of its own, by which places are found in an index.
// Members throw Failure.
class PostgresTextRows final : public TextRows {
 public:
  PostgresTextRows(Step& step, std::int64_t job) : step_(step), job_(job) {}

  TextSlice read(int version, double behind, int limit, std::size_t bytes) const override;
  std::optional<StoredSegment> find(int version, std::int64_t segment) const override;
  TextSlice before(int version, double place) const override;
  std::optional<double> place_of(std::int64_t segment) const override;
  IdSlice changed_since(int version, std::int64_t above, int limit) const override;
  std::int64_t unused_id() const override;

  void write(int version, const DraftRow& row);

  // Returns what was decided, from a number on.
  std::vector<StoredSegment> read_decided(std::int64_t first, int limit) const;
  // Returns the speakers of the segments that were decided, each once.
  std::vector<std::string> speakers() const;
  // Must be called before the first write until it returns true: each call takes some rows apart,
  // which changes nothing for those who read.
  bool prepare_for_edits();

 private:
  TextSlice query(int version, bool is_forward, double place, int limit) const;
  // Returns the place up to which one call looks; nothing: to the end.
  std::optional<double> reach(bool is_forward, double place) const;
  bool is_prepared() const;

  Step& step_;
  std::int64_t job_;
};

}  // namespace server::postgres
