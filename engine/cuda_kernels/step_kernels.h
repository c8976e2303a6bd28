#pragma once

#include <ATen/ATen.h>

#include <memory>

#include "engine/cuda_kernels/fused_calls.h"

// Fused kernels for decode steps: a layer of the decoder takes eight of them (fused_layer.h), and
// what surrounds the layers four, where libtorch's own operations are 17 and 58.
namespace engine {

// Each function is one launch. All only enqueue, and throw c10::Error where shapes or types do not
// fit.
class StepKernels {
 public:
  virtual ~StepKernels() = default;

  virtual void linear(const FusedLinear& call) = 0;
  virtual void attention(const FusedAttention& call) = 0;
  virtual void embed(const FusedEmbedding& call) = 0;
  // A choice is these two, one after the other.
  virtual void choice_pieces(const FusedChoice& call) = 0;
  virtual void choice_join(const FusedChoice& call) = 0;
  virtual void move_beams(const FusedMove& call) = 0;
};

// Returns the kernels that this build has for the card; null where it has none.
std::unique_ptr<StepKernels> make_step_kernels(const at::Device& device);

}  // namespace engine
