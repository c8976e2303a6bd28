#pragma once

#include <string>
#include <vector>

#include "engine/cuda_kernels/fused_layer.h"
#include "engine/torch/placement.h"

namespace engine {

// How one kernel compares with libtorch's operations on the same numbers.
struct KernelCheck {
  std::string kernel;
  double difference = 0;  // root mean square, as a part of that of libtorch's result
  double largest = 0;     // difference of a single number, likewise
  double bound = 0;       // of `difference`; eight times as much is that of `largest`
  bool passed = false;    // finite, and within both bounds
};

// Runs each kernel and a whole layer of `n` columns beside libtorch's operations on that device,
// for 1, 5 and 33 rows, whose slots and windows lie anywhere; windows are in int8 where weights
// are. Both round to the placement's type, in other orders of sums, so results may differ by the
// type's rounding: at most 4 of its units for a kernel, and 16 for a layer. A kernel that failed in
// itself (throws) has not passed.
std::vector<KernelCheck> check_kernels(StepKernels& kernels, const Placement& placement,
                                       std::int64_t n);

// Returns whether all have passed; otherwise `why` has a sentence for the user.
bool may_be_used(const std::vector<KernelCheck>& checks, std::string& why);

// This layer is made of libtorch's own operations, in the order of TextDecoder::step. It changes
// step.x and the history.
void reference_layer(const FusedWeights& weights, const FusedStep& step);

}  // namespace engine
