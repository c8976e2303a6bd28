#pragma once

#include <span>
#include <vector>

#include "protocol/transcript.h"

namespace protocol {

// Returns copies of the segments that have text or words.
std::vector<Segment> segments_with_text(std::span<const Segment> segments);

// Divides the segments between neighbors that are not of one run.
std::vector<std::span<const Segment>> segment_runs(std::span<const Segment> segments,
                                                   bool (*is_one_run)(const Segment& a,
                                                                      const Segment& b));

}  // namespace protocol
