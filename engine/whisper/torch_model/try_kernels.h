#pragma once

#include <functional>

#include "engine/cuda_kernels/step_kernels.h"
#include "engine/torch/placement.h"
#include "engine/whisper/model/kernel_use.h"
#include "engine/whisper/text/special_tokens.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// Tries the kernels beside libtorch's operations on the device that they are for, and returns
// what may run on them, up to `rows` rows. `kernels` may be null. They choose tokens of models
// alone whose specials are in the published order. SCRIBED_FUSED_KERNELS=off in the environment
// leaves them out. Throws engine::Exception (device_unavailable) where a kernel has made the device
// useless.
KernelUse try_kernels(StepKernels* kernels, const Placement& placement, const ModelDims& dims,
                      const SpecialTokens& specials, int rows);

// Keeps of a use the steps that are not clearly slower with the kernels: it tries 1, 4, 16, … rows
// until libtorch's operations are faster by a tenth.
//   seconds  of a step of so many rows, with the kernels or without
KernelUse keep_faster(KernelUse use, const std::function<double(int rows, bool fused)>& seconds);

}  // namespace engine
