#pragma once

#include <string>

namespace engine {

// How a model's decode steps use fused kernels (engine/cuda_kernels). It is settled when the model
// is loaded, so that the same steps take the same way ever after.
struct KernelUse {
  int most_rows = 0;     // layers of steps of at most so many rows run on them; 0: of none
  std::string why{};     // why no more do, for the user; empty: all do
  bool chooses = false;  // tokens are chosen on them

  bool operator==(const KernelUse&) const = default;
};

}  // namespace engine
