#include "engine/whisper/transcriber/clips.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

constexpr double max_seconds = 1e9;

}  // namespace

Result<std::vector<Clip>> clips_of(std::span<const double> clip_timestamps,
                                   std::int64_t content_frames) {
  std::vector<std::int64_t> points;
  for (const double seconds : clip_timestamps) {
    if (!(seconds >= 0 && seconds <= max_seconds)) {
      return Error{Errc::invalid_option, "clip timestamps must be seconds from 0 on",
                   "Give them as start,end,start,end, for instance 0,12.5,30,45."};
    }
    points.push_back(static_cast<std::int64_t>(std::nearbyint(seconds * frames_per_second)));
  }
  if (points.empty()) points.push_back(0);
  if (points.size() % 2 == 1) points.push_back(std::max(points.back(), content_frames));

  std::vector<Clip> clips;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    if (points[i + 1] < points[i]) {
      return Error{Errc::invalid_option,
                   "clip " + std::to_string(i / 2 + 1) + " ends before it starts",
                   "Give clip timestamps as start,end,start,end in seconds."};
    }
    clips.push_back({std::min(points[i], content_frames), std::min(points[i + 1], content_frames)});
  }
  return clips;
}

}  // namespace engine
