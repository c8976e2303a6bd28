#pragma once

#include <span>
#include <vector>

namespace engine {

// The cross-attention of a window's tokens over its encoder positions (20 ms each), from the heads
// that follow time (alignment_heads.h).
struct AlignmentAttention {
  std::span<const float> weights;  // [heads][tokens][positions]; a row sums to 1
  int heads = 0;
  int tokens = 0;
  int positions = 0;
};

// Returns how little each of `rows` tokens from `first_row` on attends to each of the first `used`
// positions, as input to dtw.
//   returns [rows][used]
// Weights are scaled to sum to 1 over the used positions (equal to a softmax over those alone),
// made comparable by their mean and deviation over all tokens, smoothed by a median of 7 positions
// and averaged over the heads. A position that all tokens attend to equally says nothing and
// counts 0. Throws std::invalid_argument where the shapes do not fit.
// openai/whisper timing.py `find_alignment`.
std::vector<float> alignment_costs(const AlignmentAttention& attention, int first_row, int rows,
                                   int used);

}  // namespace engine
