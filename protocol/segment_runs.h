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

// A run, and whether segments of other runs are said at the same time, so that cues of others may
// come between those of the run.
struct SegmentRun {
  std::span<const Segment> segments;
  bool is_interrupted = false;
};

// Returns the same runs in their order.
std::vector<SegmentRun> interrupted_runs(std::span<const std::span<const Segment>> runs);

}  // namespace protocol
