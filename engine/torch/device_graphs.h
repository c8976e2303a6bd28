#pragma once

#include <memory>

#include "engine/torch/step_graphs.h"

namespace engine {

// Returns what records steps on this device; null where nothing does, and steps run as they are.
std::unique_ptr<StepGraphs> make_step_graphs(const at::Device& device);

}  // namespace engine
