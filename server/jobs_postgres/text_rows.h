#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/text_rows.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// The rows of a job's text. Before its first edit the decided segments lie together as they were
// written; prepare_for_edits() gives each a row of its own, by which places are found in an index.
// Members throw Failure.
class PostgresTextRows final : public TextRows {
 public:
  PostgresTextRows(Step& step, std::int64_t job) : step_(step), job_(job) {}

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

  // Returns what was decided, as read_segments() does.
  std::vector<protocol::Segment> read_decided(int first, int limit) const;
  // Returns the speakers of the segments that were decided, each once.
  std::vector<std::string> speakers() const;
  // Must be called before the first write.
  void prepare_for_edits();

 private:
  std::vector<PlacedSegment> query(int version, bool is_forward, double place, int limit,
                                   int skipped) const;
  bool is_prepared() const;

  Step& step_;
  std::int64_t job_;
};

}  // namespace server::postgres
