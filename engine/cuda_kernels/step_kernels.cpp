#include "engine/cuda_kernels/step_kernels.h"

// Builds without CUDA have none.
namespace engine {

std::unique_ptr<StepKernels> make_step_kernels(const at::Device&) {
  return nullptr;
}

}  // namespace engine
