#pragma once

#include <string>
#include <vector>

#include "engine/torch/placement.h"
#include "engine/torch/step_graphs.h"

namespace engine {

// What computes a part of the model here, and why that.
struct KernelChoice {
  std::string part;
  std::string kernel;
  std::string reason;
};

// graphs: what has recorded the decode steps, after they have run; null: nothing has. It is not
// looked at on a CPU.
std::vector<KernelChoice> kernel_choices(const Placement& placement, bool flash_attn,
                                         const StepGraphs* graphs);

}  // namespace engine
