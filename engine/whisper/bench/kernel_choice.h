#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/torch/placement.h"
#include "engine/torch/step_graphs.h"
#include "engine/whisper/model/kernel_use.h"

namespace engine {

// The kernel that computes a part of the model here, and why it is that one.
struct KernelChoice {
  std::string part;
  std::string kernel;
  std::string reason;
};

// `graphs` and `fused` are what the model says after its steps have run; they are not looked at on
// a CPU.
std::vector<KernelChoice> kernel_choices(const Placement& placement, bool flash_attn,
                                         const std::optional<GraphState>& graphs,
                                         const std::optional<KernelUse>& fused);

}  // namespace engine
