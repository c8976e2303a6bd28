#pragma once

#include <vector>

#include "engine/kernels/attention/key_bias.h"

namespace engine::cpu {

// The rows that the encoder computes for a window, which are also those of the keys and values that
// the decoder reads. A full window has a row for each position. A short one has a row for each
// position of the audio and of the second after it, for every 4th position of the next four
// seconds, and for every 16th of the rest, each with its own positional embedding. A merged row
// represents its neighbours, whose input is the same, so the logarithm of their number is added to
// its scores (proportional attention of Token Merging, Bolya et al. 2022). The softmax then sums
// about what all 1500 positions would have summed.
class WindowRows {
 public:
  // A full window.
  explicit WindowRows(int positions);
  // A window whose first `frames` of 2·positions are audio, and whose others are 0. It is full if
  // there are fewer than 16 positions to merge.
  WindowRows(int positions, int frames);

  int positions() const { return positions_; }
  int count() const { return single_ + static_cast<int>(runs_.size()); }
  bool is_full() const { return runs_.empty(); }
  // Returns how many rows represent one position each; they come first.
  int single() const { return single_; }
  int position(int row) const;
  // Returns how many positions a row represents.
  int represented(int row) const;
  // Returns what is added to the scores of the rows as keys.
  kernels::KeyBias bias() const { return {single_, log_counts_}; }

  // Turns weights of rows [count] into weights of positions [positions], in place. Positions that
  // share a row share its weight.
  void spread(float* weights) const;

 private:
  // Positions that share a row.
  struct Run {
    int first = 0;
    int count = 0;
  };

  int positions_;
  int single_;
  std::vector<Run> runs_;  // of the merged rows
  std::vector<float> log_counts_;
};

}  // namespace engine::cpu
