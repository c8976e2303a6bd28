#include "engine/speakers/frame_votes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine {
namespace {

constexpr int tolerance = 2;  // frames on each side of a change

using Marks = std::array<bool, frames_per_window>;

Marks marks_near_changes(const VoiceWindow& window) {
  Marks near{};
  for (int i = 1; i < frames_per_window; ++i) {
    const Voices before = window.voices[static_cast<std::size_t>(i - 1)];
    const Voices now = window.voices[static_cast<std::size_t>(i)];
    if (before == now || before == 0 || now == 0) continue;
    const int last = std::min(i + tolerance, frames_per_window - 1);
    for (int j = std::max(i - tolerance, 0); j <= last; ++j)
      near[static_cast<std::size_t>(j)] = true;
  }
  return near;
}

}  // namespace

void FrameVotes::add(const VoiceWindow& window) {
  const auto first = static_cast<std::size_t>(window.first());
  const std::size_t end = std::max(first + frames_per_window, windows_.size());
  windows_.resize(end);
  voices_.resize(end);
  changes_.resize(end);
  const Marks near = marks_near_changes(window);
  for (std::size_t i = 0; i < frames_per_window; ++i) {
    ++windows_[first + i];
    voices_[first + i] =
        static_cast<std::uint8_t>(voices_[first + i] + voice_count(window.voices[i]));
    changes_[first + i] = static_cast<std::uint8_t>(changes_[first + i] + (near[i] ? 1 : 0));
  }
}

int FrameVotes::count(std::int64_t frame) const {
  const auto i = static_cast<std::size_t>(frame);
  const int windows = std::max<int>(windows_[i], 1);
  return static_cast<int>(std::lrint(static_cast<double>(voices_[i]) / windows));
}

bool FrameVotes::changes(std::int64_t frame) const {
  const auto i = static_cast<std::size_t>(frame);
  return 2 * changes_[i] > std::max<int>(windows_[i], 1);
}

}  // namespace engine
