#pragma once

#include <memory>
#include <utility>

#include "engine/cuda_kernels/twin_kernels.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {

// Returns the toy with steps of up to so many rows on kernels of our own: their twins in float32,
// which no check at load would let pass, since cards have none in that type.
inline std::unique_ptr<Model> load_fused(const ToyWeights& toy, int most_rows,
                                         std::unique_ptr<StepKernels> kernels = make_twin_kernels(),
                                         std::unique_ptr<StepGraphs> graphs = nullptr,
                                         const Placement& placement = {}) {
  Whisper whisper = load_whisper(toy.weights(), placement).value();
  auto stores = allocate_stores(whisper.dims, placement, {.windows = 5, .rows_per_window = 3},
                                {.int8_windows = placement.int8_weights})
                    .value();
  SpecialTokens specials = special_tokens(whisper.dims.n_vocab).value();
  return std::make_unique<BatchedModel>(
      std::move(whisper), std::move(specials), StepTools{std::move(graphs), std::move(kernels)},
      std::move(stores), KernelUse{most_rows, "for a test", true});
}

inline const Placement in_int8{at::kCPU, ComputeType::float32, /*int8_weights=*/true};

}  // namespace engine
