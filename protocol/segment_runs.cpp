#include "protocol/segment_runs.h"

#include <algorithm>
#include <iterator>

#include "protocol/text_rules.h"

namespace protocol {

std::vector<Segment> segments_with_text(std::span<const Segment> segments) {
  std::vector<Segment> said;
  std::ranges::copy_if(segments, std::back_inserter(said), [](const Segment& segment) {
    return !segment.words.empty() || !strip(segment.text).empty();
  });
  return said;
}

std::vector<std::span<const Segment>> segment_runs(std::span<const Segment> segments,
                                                   bool (*is_one_run)(const Segment& a,
                                                                      const Segment& b)) {
  std::vector<std::span<const Segment>> runs;
  while (!segments.empty()) {
    std::size_t count = 1;
    while (count < segments.size() && is_one_run(segments[count - 1], segments[count])) ++count;
    runs.push_back(segments.first(count));
    segments = segments.subspan(count);
  }
  return runs;
}

std::vector<SegmentRun> interrupted_runs(std::span<const std::span<const Segment>> runs) {
  const auto end_of = [](std::span<const Segment> run) {
    return std::ranges::max_element(run, {}, &Segment::end)->end;
  };
  std::vector<SegmentRun> found;
  double end_before = 0;  // of all runs before
  for (const std::span<const Segment> run : runs) {
    if (!found.empty() && run.front().start < end_before) found.back().is_interrupted = true;
    found.push_back({run, run.front().start < end_before});
    end_before = std::max(end_before, end_of(run));
  }
  return found;
}

}  // namespace protocol
