#pragma once

#include <cstddef>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "engine/whisper/cpu/matrix.h"

namespace engine::cpu {

// The frames that a convolution of three moments reads, in its weight's type (float32 or bfloat16),
// between two rows of silence for its edges. Threads may write different frames at once.
class Frames {
 public:
  Frames(int count, int width, const Matrix& weight);

  // Sets a frame to the numbers at `column`, `stride` apart.
  void set(int frame, const float* column, std::ptrdiff_t stride);
  // Returns where GELUs go that are the frames from `frame` on.
  kernels::Output gelu_from(int frame);
  // Returns rows of three frames each, with `step` frames from one to the next; the first one's
  // middle is `frame`.
  Rows around(int frame, int step) const;

 private:
  int width_;
  // One of the two has [count + 2, width].
  kernels::AlignedVector<float> floats_;
  kernels::AlignedVector<kernels::Bfloat16> halves_;
};

}  // namespace engine::cpu
