#pragma once

#include <memory>

#include "engine/cuda_kernels/step_kernels.h"
#include "engine/torch/device_graphs.h"
#include "engine/torch/step_graphs.h"

namespace engine {

// The tools that a device has for decode steps, beside libtorch's operations.
struct StepTools {
  std::unique_ptr<StepGraphs> graphs{};    // null: steps run as they are
  std::unique_ptr<StepKernels> kernels{};  // null: this build has none for the device
};

// Returns those of the device; which there can be is decided where a worker is linked.
inline StepTools make_step_tools(const at::Device& device) {
  return {make_step_graphs(device), make_step_kernels(device)};
}

}  // namespace engine
