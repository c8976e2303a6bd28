#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/whisper/model/cpu_model.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/model/random_window.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {

// The toy as a CpuModel, in each type of matrices.
class CpuModelTest : public ::testing::TestWithParam<cpu::MatrixType> {
 protected:
  static void SetUpTestSuite() { toy_ = std::make_unique<ToyWeights>(); }
  static void TearDownTestSuite() { toy_.reset(); }

  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  }
  static std::unique_ptr<Model> load(kernels::Isa isa, int threads = 2) {
    const auto weights = toy_->weights();
    return std::make_unique<CpuModel>(weights, cpu::pack_whisper(*weights, GetParam()),
                                      special_tokens(weights->dims().n_vocab).value(), isa,
                                      threads);
  }
  static std::unique_ptr<Model> load() { return load(kernels::isas_of_this_cpu().back()); }
  static MelWindow mel(std::uint64_t seed = 5) { return random_window(seed); }
  static std::vector<int> prompt() { return {prompt_.begin(), prompt_.end()}; }

  static constexpr std::array<int, 4> prompt_{50258, 50259, 50359, 7};
  static inline std::unique_ptr<ToyWeights> toy_;
};

inline const auto all_matrix_types =
    testing::Values(cpu::MatrixType::float32, cpu::MatrixType::bfloat16, cpu::MatrixType::int8);

}  // namespace engine
