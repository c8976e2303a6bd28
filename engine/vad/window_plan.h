#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/vad/speech_segments.h"

namespace engine {

struct WindowPlanOptions {
  double max_window_s = 30;
  double margin_s = 0.3;  // silence that is kept on either side of a window's speech
};

// The samples [begin, end) of the recording that are decoded as one window.
struct PlannedWindow {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool operator==(const PlannedWindow&) const = default;
};

// Cuts a recording into windows that can be decoded in any order: each has at most max_window_s,
// they are in order and never overlap, and every sample of every region is in exactly one. Silence
// that is further from speech than the margin is in no window, unless more speech follows in the
// same one.
//   regions        what SpeechSegmenter found: in order, not empty, not overlapping. Padded little:
//                  the silences that are left between them are what is chosen by
//   probabilities  of each chunk of 512 samples; may be empty
// A window ends at the longest silence in its last quarter; where none is there, at the last one
// before. Speech that is longer than a window is cut inside, at its least likely chunk in the last
// third of the window.
std::vector<PlannedWindow> plan_windows(std::span<const SpeechRegion> regions,
                                        std::span<const float> probabilities,
                                        std::int64_t total_samples,
                                        const WindowPlanOptions& options);

}  // namespace engine
