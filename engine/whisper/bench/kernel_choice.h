#pragma once

#include <string>
#include <vector>

#include "engine/torch/placement.h"
#include "engine/torch/step_graphs.h"

namespace engine {

// The kernel that computes a part of the model here, and why it is that one.
struct KernelChoice {
  std::string part;
  std::string kernel;
  std::string reason;
};

// `graphs` has recorded the decode steps, after they have run; it is null where nothing has. It is
// not looked at on a CPU.
std::vector<KernelChoice> kernel_choices(const Placement& placement, bool flash_attn,
                                         const StepGraphs* graphs);

}  // namespace engine
