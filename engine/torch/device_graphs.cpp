#include "engine/torch/device_graphs.h"

// Builds without CUDA record nothing.
namespace engine {

std::unique_ptr<StepGraphs> make_step_graphs(const at::Device&) {
  return nullptr;
}

}  // namespace engine
