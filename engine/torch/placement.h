#pragma once

#include <ATen/ATen.h>

#include "engine/device/compute_type.h"

namespace engine {

// The device of a model's tensors, and how precise they are.
struct Placement {
  at::Device device = at::kCPU;
  ComputeType type = ComputeType::float32;
  bool int8_weights = false;  // linear layers keep int8 and compute in `type`

  bool on_cpu() const { return device.is_cpu(); }
  at::TensorOptions options() const;
};

// Returns the placement of a model that is wanted in `type`. A GPU has int8 weights and computes in
// float16.
Placement placement_of(const at::Device& device, ComputeType type);

at::ScalarType scalar_type(ComputeType type);

// Returns `tensor` at its place. It is converted before it is moved, so that a device never holds a
// weight in two types at once.
at::Tensor place(const at::Tensor& tensor, const Placement& placement);

}  // namespace engine
