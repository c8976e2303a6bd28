#pragma once

#include <vector>

#include "engine/kernels/attention/key_bias.h"

namespace engine::cpu {

// Says which positions of a window have rows of their own in the encoder and in the keys and values
// that the decoder reads. In a full window all have. In a short one these are the positions of the
// audio and of a second behind it; of the silence behind that every 4th for four seconds, and then
// every 16th, each with its own positional embedding. Such a row stands for its neighbours, which
// all hear the same, and so its score gets the logarithm of their number (proportional attention of
// Token Merging, Bolya et al. 2022). The softmax then sums what all 1500 positions would have
// summed.
class WindowRows {
 public:
  // All of so many positions.
  explicit WindowRows(int positions);
  // Those of a window of which the first `frames` of 2·positions are audio and the rest is 0. It is
  // full where hardly anything is left to merge.
  WindowRows(int positions, int frames);

  int positions() const { return positions_; }
  int count() const { return heard_ + static_cast<int>(runs_.size()); }
  bool is_full() const { return runs_.empty(); }
  // Returns how many rows, the first ones, are their own positions.
  int heard() const { return heard_; }
  int position(int row) const;
  // Returns what the rows' scores get as keys.
  kernels::KeyBias bias() const { return {heard_, log_counts_}; }

  // Puts the weights of the rows [count] where their positions are [positions], in place: positions
  // that share a row share its weight.
  void spread(float* weights) const;

 private:
  // Positions that share a row.
  struct Run {
    int first = 0;
    int count = 0;
  };

  int positions_;
  int heard_;
  std::vector<Run> runs_;  // of the rows behind those
  std::vector<float> log_counts_;
};

}  // namespace engine::cpu
