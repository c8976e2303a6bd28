#include "engine/whisper/cpu/window_rows.h"

#include <algorithm>
#include <cmath>

namespace engine::cpu {
namespace {

// These are in positions of 20 ms. With steps of 16 next to the audio, texts of clips of two or
// three seconds end early.
constexpr int margin = 50;
constexpr int near = 200;
constexpr int near_step = 4;
constexpr int step = 16;

}  // namespace

WindowRows::WindowRows(int positions) : positions_(positions), single_(positions) {}

WindowRows::WindowRows(int positions, int frames) : WindowRows(positions) {
  const int single = (frames + 1) / 2 + margin;
  if (positions - single < step) return;
  single_ = single;
  for (int first = single; first < positions;) {
    const int left = positions - first;
    const int own = first - single < near ? near_step : step;
    // The last run includes a rest that is less than half a run.
    const int count = left - own < own / 2 ? left : own;
    runs_.push_back({first, count});
    log_counts_.push_back(std::log(static_cast<float>(count)));
    first += count;
  }
}

int WindowRows::position(int row) const {
  if (row < single_) return row;
  const Run& run = runs_[static_cast<std::size_t>(row - single_)];
  return run.first + run.count / 2;
}

int WindowRows::represented(int row) const {
  return row < single_ ? 1 : runs_[static_cast<std::size_t>(row - single_)].count;
}

void WindowRows::spread(float* weights) const {
  // Rows are spread from the last one on, so that none is overwritten before it is read.
  for (int row = count() - 1; row >= single_; --row) {
    const Run& run = runs_[static_cast<std::size_t>(row - single_)];
    std::fill_n(weights + run.first, run.count, weights[row] / static_cast<float>(run.count));
  }
}

}  // namespace engine::cpu
