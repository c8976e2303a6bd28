#pragma once

#include <memory>

#include "engine/cuda_kernels/step_kernels.h"

namespace engine {

// Returns the kernels' twins on the CPU: the same bodies, compiled for it, whose threads take their
// turns. They are for tests, and far slower than libtorch's operations. They compute in float32,
// too, where they differ from libtorch's operations by the order of sums alone.
std::unique_ptr<StepKernels> make_twin_kernels();

}  // namespace engine
