#pragma once

#include <cmath>
#include <cstdint>

#include "engine/audio/sample_rate.h"

// The grid of the segmentation network: which samples its windows and frames stand for.
namespace engine {

constexpr int speaker_window = 10 * sample_rate_hz;          // samples of a window
constexpr int speaker_window_step = 5 * sample_rate_hz / 2;  // samples from window to window
constexpr int frames_per_window = 589;
constexpr int frame_step = 270;   // samples from frame to frame: 16.875 ms
constexpr int frame_width = 991;  // samples that a frame hears: 61.94 ms

// Returns the first frame, on the recording's grid, of the window that begins at this sample.
// Halves go to the even one, as pyannote rounds.
inline std::int64_t first_frame(std::int64_t sample) {
  return std::llrint(static_cast<double>(sample) / frame_step);
}

// Returns the time of a frame's centre, in seconds.
inline double frame_time(std::int64_t frame) {
  return (static_cast<double>(frame * frame_step) + frame_width / 2.0) / sample_rate_hz;
}

// Returns the frame whose centre is nearest; it may be below 0.
inline std::int64_t frame_at(double seconds) {
  return std::llrint((seconds * sample_rate_hz - frame_width / 2.0) / frame_step);
}

}  // namespace engine
