#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/cuda_kernels/layer_linear.h"

// Fused kernels for decode steps: a layer of the decoder takes eight of them (fused_layer.h), where
// libtorch's own operations are about 24.
namespace engine {

using cuda_kernels::Epilogue;

// One product with a weight, and what surrounds it. All tensors are on the kernels' device, dense
// and of one type, float16 or bfloat16, but for `logits`.
struct FusedLinear {
  at::Tensor x;              // [rows rounded up to 16, k]
  at::Tensor weight;         // [n, k]
  at::Tensor bias{};         // [n], or undefined
  at::Tensor norm_weight{};  // [k] of the layer norm before, or undefined
  at::Tensor norm_bias{};    // [k]
  Epilogue epilogue = Epilogue::store;
  at::Tensor out;  // [rows rounded up to 16, n]; append: [.., n / 3]; logits: float32
  // The second and last third of the columns go here where the kernel appends.
  at::Tensor keys{};       // [slots, heads, positions, 64], dense from the heads on
  at::Tensor values{};     // likewise, with the same strides
  at::Tensor slots{};      // [rows] int64
  at::Tensor positions{};  // [rows] int64
  int rows = 0;
};

// Attention of one query in each row.
struct FusedAttention {
  at::Tensor query;  // [rows rounded up to 16, heads·64]; the factor 1/8 is in it
  at::Tensor keys;   // [slots, heads, positions, 64], dense from the heads on
  at::Tensor values;
  at::Tensor slots;        // [rows] int64
  at::Tensor positions{};  // [rows] int64: a row looks at these and all before; undefined: at all
  at::Tensor out;          // as `query`
  int rows = 0;
  int length = 0;  // the most positions that a row looks at
};

class StepKernels {
 public:
  virtual ~StepKernels() = default;

  // Both only enqueue. They throw c10::Error where shapes or types do not fit.
  virtual void linear(const FusedLinear& call) = 0;
  virtual void attention(const FusedAttention& call) = 0;
};

// Returns the kernels that this build has for the card; null where it has none.
std::unique_ptr<StepKernels> make_step_kernels(const at::Device& device);

// Returns so many rows rounded up to whole tiles: buffers have as many.
inline std::int64_t whole_tiles(std::int64_t rows) {
  return (rows + cuda_kernels::tile - 1) / cuda_kernels::tile * cuda_kernels::tile;
}

}  // namespace engine
