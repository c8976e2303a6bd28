#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/speakers/networks/packed_layer.h"

namespace engine {

// An LSTM over some windows in both directions on this CPU's own kernels, in float32. A window's
// outputs do not hang on the windows beside it.
class PackedLstm {
 public:
  static constexpr int state = 128;
  static constexpr int width = 2 * state;  // of an output

  // weights: for each layer and direction [4 · state, inputs], [4 · state, state], and two biases.
  explicit PackedLstm(std::span<const at::Tensor> weights, int inputs);

  // Rows of the windows' same moment lie together. Both vectors are used up; the outputs are in the
  // returned one.
  //   x  [moments, windows, inputs], with room for `width` in place of `inputs`
  //   y  the same room
  std::vector<float>& operator()(std::vector<float>& x, std::vector<float>& y, int moments,
                                 int windows) const;

 private:
  struct Direction {
    PackedLayer input;
    PackedLayer state;
  };
  void run(const Direction& direction, bool backward, const float* x, float* y, int moments,
           int windows) const;

  std::vector<std::array<Direction, 2>> layers_;
};

}  // namespace engine
