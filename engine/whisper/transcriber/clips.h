#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/error.h"

namespace engine {

// The frames [begin, end) of the recording, 10 ms each.
struct Clip {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool operator==(const Clip&) const = default;
};

// Returns the parts that `clip_timestamps` (start, end, start, end, … in seconds) names, cut at the
// end of the recording; a last start without an end goes to the end, and no timestamps are one clip
// of everything. Fails with invalid_option for times that are negative or go back within a pair.
Result<std::vector<Clip>> clips_of(std::span<const double> clip_timestamps,
                                   std::int64_t content_frames);

}  // namespace engine
