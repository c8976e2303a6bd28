#include "engine/torch/device_graphs.h"

// In builds without CUDA.
namespace engine {

std::unique_ptr<StepGraphs> make_step_graphs(const at::Device&) {
  return nullptr;
}

}  // namespace engine
