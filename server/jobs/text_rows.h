#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

// The same as a store has it: the segment is JSON, which need not be read on the store's thread.
struct StoredSegment {
  std::int64_t id = 0;
  double place = 0;
  std::string content{};
};

// Returns nothing for a row that cannot be read.
std::optional<PlacedSegment> decoded(const StoredSegment& stored);

// The ids of segments are below this one, so that stores may give a segment's place in an index to
// something else.
inline constexpr std::int64_t first_unused_segment = (1 << 20) - 16;

// No segment has a place below 0.
inline constexpr double before_all_places = -1;

// So many bytes of rows are read or written in one call of the store, which takes a few
// milliseconds. Others are answered between two calls.
inline constexpr std::size_t text_slice_bytes = 256 << 10;
inline constexpr int text_slice_rows = 200;
// A call looks at so many rows of all versions. A text with a long history has many that do not
// hold any more.
inline constexpr int text_slice_looks = 2000;

// A text of more segments is never read whole in one call.
inline constexpr int most_read_at_once = 50;

// Segments that follow each other in a version. There may be none although the text goes on.
struct TextSlice {
  std::vector<StoredSegment> segments{};
  std::optional<double> next{};  // the place to go on from; nothing: the text has no more
};

// Ids of segments, ascending. There may be none although there are more.
struct IdSlice {
  std::vector<std::int64_t> ids{};
  std::optional<std::int64_t> next{};  // the id to go on above; nothing: there are no more
};

// The rows of a job's text in all versions, in a store. What a version has never changes, once the
// job has ended, so a text may be read in several calls. Members throw what its database throws.
class TextRows {
 public:
  virtual ~TextRows() = default;

  // Returns up to `limit` segments behind a place, and no more than have so many bytes together,
  // but for the last.
  virtual TextSlice read(int version, double behind, int limit, std::size_t bytes) const = 0;
  virtual std::optional<StoredSegment> find(int version, std::int64_t segment) const = 0;
  // Returns the last segment before a place.
  virtual TextSlice before(int version, double place) const = 0;
  // Returns the place of a segment that some version has.
  virtual std::optional<double> place_of(std::int64_t segment) const = 0;
  // Returns up to `limit` segments with ids above one that versions after this one have changed.
  virtual IdSlice changed_since(int version, std::int64_t above, int limit) const = 0;
  // Returns an id that no version has used.
  virtual std::int64_t unused_id() const = 0;
};

using ReadText = std::function<void(const TextRows& rows)>;

}  // namespace server
