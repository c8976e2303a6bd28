#pragma once

#include <functional>
#include <string>

#include "engine/cuda_kernels/step_kernels.h"
#include "engine/torch/placement.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// How a model's decode steps use fused kernels (engine/cuda_kernels). It is settled when the model
// is loaded, so that the same steps take the same way ever after.
struct KernelUse {
  int most_rows = 0;     // layers of steps of at most so many rows run on them; 0: of none
  std::string why{};     // why no more do, for the user; empty: all do
  bool chooses = false;  // tokens are chosen on them

  bool operator==(const KernelUse&) const = default;
};

// Tries the kernels beside libtorch's operations on the device that they are for, and returns
// what may run on them, up to `rows` rows. `kernels` may be null.
KernelUse try_kernels(StepKernels* kernels, const Placement& placement, const ModelDims& dims,
                      int rows);

// Keeps of a use the steps that are not clearly slower with the kernels: it tries 1, 4, 16, … rows
// until libtorch's operations are faster by a tenth.
//   seconds  of a step of so many rows, with the kernels or without
KernelUse keep_faster(KernelUse use, const std::function<double(int rows, bool fused)>& seconds);

}  // namespace engine
