#pragma once

#include <ATen/ATen.h>

#include "engine/cuda_kernels/layer_calls.h"

namespace engine {

// The memory between the kernels of a layer; all layers share it.
struct FusedBuffers {
  at::Tensor query;     // [rows rounded up to 16, n]
  at::Tensor attended;  // the same
  at::Tensor hidden;    // [rows rounded up to 16, 4·n]
};
FusedBuffers make_buffers(const at::Tensor& x);

// Computes a layer of the decoder in eight kernels: what TextDecoder::step does in one, with its
// rounding.
void fused_layer(StepKernels& kernels, const FusedWeights& weights, const FusedStep& step,
                 const FusedBuffers& buffers);

}  // namespace engine
