#pragma once

#include <optional>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/attention/attention.h"
#include "engine/kernels/attention/attention_float32.h"
#include "engine/whisper/cpu/matrix.h"
#include "engine/whisper/cpu/window_rows.h"

namespace engine::cpu {

// The encoder's self-attention with the queries, keys and values of a layer: in float32 for a model
// in float32, else in bfloat16.
class EncoderAttention {
 public:
  EncoderAttention(MatrixType type, kernels::Isa isa, int n_head, int n_ctx, int team_size);

  // Returns where the rows [3·n_head·64] of queries, keys and values go from `row` on.
  kernels::Output qkv_from(int row);
  // All threads of a team call it, see kernels::Attention.
  //   out  [rows.count(), n_head·64]
  void operator()(const WindowRows& rows, float* out, const kernels::TeamThread& me);

 private:
  int width_;  // of all heads
  // One of the two has [n_ctx, 3·n_head·64].
  kernels::AlignedVector<float> floats_;
  kernels::AlignedVector<kernels::Bfloat16> halves_;
  std::optional<kernels::Float32Attention> exact_;
  std::optional<kernels::Attention> rounded_;
};

}  // namespace engine::cpu
