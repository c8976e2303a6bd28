#pragma once

#include <string>
#include <vector>

#include "engine/model/placement.h"

namespace engine {

// What computes a part of the model here, and why that.
struct KernelChoice {
  std::string part;
  std::string kernel;
  std::string reason;
};

// graphs: whether decode steps are recorded and replayed.
std::vector<KernelChoice> kernel_choices(const Placement& placement, bool flash_attn, bool graphs);

}  // namespace engine
