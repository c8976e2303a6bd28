#pragma once

#include <memory>

#include "engine/whisper/model/cpu_model.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {

// Loads the toy in float32, for one thread: threads that wait for each other beside other tests
// take longer.
inline std::unique_ptr<Model> load_toy(const ToyWeights& toy) {
  const auto weights = toy.weights();
  return std::make_unique<CpuModel>(weights, cpu::pack_whisper(*weights, cpu::MatrixType::float32),
                                    special_tokens(weights->dims().n_vocab).value(),
                                    kernels::isas_of_this_cpu().at(0), /*threads=*/1);
}

}  // namespace engine
