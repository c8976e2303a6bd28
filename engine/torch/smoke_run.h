#pragma once

#include <ATen/ATen.h>

#include <string>

#include "engine/torch/placement.h"

namespace engine {

// One operation on the device and what the CPU makes of it in float32.
struct SmokeResult {
  std::string operation;  // "matrix product"
  Placement placement;    // where and how precisely `found` was computed
  at::Tensor found;
  at::Tensor expected;
};

// Returns the largest difference that counts as rounding in this type, as a part of the largest
// expected number. float32 has room for TF32, which the environment can force. A device that
// computes wrongly is off by the whole.
double allowed_error(ComputeType type);

// Fails with device_unavailable where numbers are not finite or differ by more.
Result<void> check(const SmokeResult& result);

// Tries a matrix product, a convolution and an attention as the model has them, in float32 and in
// the compute type. That a device exists and takes memory doesn't mean that it has kernels, and
// some compute nonsense; this finds out before a transcription does. Throws what libtorch throws.
Result<void> smoke_run(const Placement& placement);

}  // namespace engine
