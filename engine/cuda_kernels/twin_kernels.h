#pragma once

#include <memory>

#include "engine/cuda_kernels/step_kernels.h"

namespace engine {

// Returns the kernels' twins on the CPU: the same bodies, compiled for it, whose threads take their
// turns. They are for tests, and far slower than libtorch's operations.
std::unique_ptr<StepKernels> make_twin_kernels();

}  // namespace engine
