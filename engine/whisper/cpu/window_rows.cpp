#include "engine/whisper/cpu/window_rows.h"

#include <algorithm>
#include <cmath>

namespace engine::cpu {
namespace {

// With half a second behind the audio the decoder ends early now and then.
constexpr int margin = 50;  // positions of 20 ms
constexpr int step = 16;

}  // namespace

WindowRows::WindowRows(int positions) : positions_(positions), heard_(positions) {}

WindowRows::WindowRows(int positions, int frames) : WindowRows(positions) {
  const int heard = (frames + 1) / 2 + margin;
  // Each stands for the positions around it, the last one also for what is left.
  const int merged = (positions - heard + step / 2 - 1) / step;
  if (merged < 1) return;
  heard_ = heard;
  log_counts_.assign(static_cast<std::size_t>(merged), std::log(static_cast<float>(step)));
  log_counts_.back() = std::log(static_cast<float>(last_count()));
}

int WindowRows::last_count() const {
  return positions_ - heard_ - (static_cast<int>(log_counts_.size()) - 1) * step;
}

int WindowRows::position(int row) const {
  return row < heard_ ? row : heard_ + (row - heard_) * step + step / 2;
}

void WindowRows::spread(float* weights) const {
  // From the last row on, none of which is written over before it is read.
  for (int row = count() - 1; row >= heard_; --row) {
    const int positions = row == count() - 1 ? last_count() : step;
    const float each = weights[row] / static_cast<float>(positions);
    std::fill_n(weights + heard_ + (row - heard_) * step, positions, each);
  }
}

}  // namespace engine::cpu
