#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/transcript.h"

namespace server {

// A segment and its place among those of its version. The places of segments that were decided are
// 0, 1, 2 …; what is split off from one comes between it and the next.
struct PlacedSegment {
  std::int64_t id = 0;
  double place = 0;
  protocol::Segment segment{};  // its speaker is a label
};

// The ids of segments are below this one, so that stores may give a segment's place in an index to
// something else.
inline constexpr std::int64_t first_unused_segment = (1 << 20) - 16;

// The rows of a job's text in all versions, in a store. Members throw what its database throws; a
// row that cannot be read is left out.
class TextRows {
 public:
  virtual ~TextRows() = default;

  // Returns up to `limit` segments behind a place, after `skipped` others; a negative limit stands
  // for all. No segment lies at a place below 0.
  virtual std::vector<PlacedSegment> read(int version, double behind, int limit,
                                          int skipped) const = 0;
  virtual std::optional<PlacedSegment> find(int version, std::int64_t segment) const = 0;
  virtual std::optional<PlacedSegment> before(int version, double place) const = 0;
  virtual std::optional<PlacedSegment> behind(int version, double place) const = 0;
  virtual int count(int version) const = 0;
  // Returns the texts of all segments by their ids.
  virtual std::vector<std::pair<std::int64_t, std::string>> texts(int version) const = 0;
  // Returns the place of a segment that some version has.
  virtual std::optional<double> place_of(std::int64_t segment) const = 0;
  // Returns the segments that versions after this one have changed.
  virtual std::vector<std::int64_t> changed_since(int version) const = 0;
  // Returns an id that no version has used.
  virtual std::int64_t unused_id() const = 0;

  virtual void write(int version, const PlacedSegment& segment) = 0;
  virtual void remove(int version, std::int64_t segment, double place) = 0;
};

}  // namespace server
