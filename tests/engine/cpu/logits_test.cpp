#include "engine/cpu/logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/kernels/rows.h"
#include "platform/cpu.h"

namespace engine::cpu {
namespace {

constexpr int n_vocab = 51'865;
constexpr int n_state = 64;
constexpr int n_rows = 3;

// Logits of three random rows, by the kernels given.
std::vector<float> logits_by(kernels::Kernels kernels) {
  std::mt19937 generator(11);
  std::normal_distribution<float> normal;
  std::vector<float> weight(static_cast<std::size_t>(n_vocab) * n_state);
  for (float& w : weight) w = normal(generator);
  std::vector<float> x(n_rows * n_state);
  for (float& value : x) value = normal(generator);

  const auto width = static_cast<std::size_t>(kernels::padded_outputs(n_vocab));
  kernels::AlignedVector<std::int8_t> packed8(width * n_state);
  kernels::AlignedVector<std::uint8_t> packed4(kernels::int4_size(n_vocab, n_state));
  std::vector<float> scale8(width), sum8(width), bias(width), scale4(width), sum4(width);
  kernels::pack_int8(weight, n_vocab, n_state, packed8.data(), scale8.data(), sum8.data());
  kernels::pack_int4(weight, n_vocab, n_state, packed4.data(), scale4.data(), sum4.data());
  PackedWhisper packed;
  packed.dims.n_vocab = n_vocab;
  packed.dims.n_text_state = n_state;
  packed.to_logits = {
      n_state, static_cast<int>(width), packed8.data(), scale8.data(), sum8.data(), bias.data()};
  packed.screen = {n_state, static_cast<int>(width), packed4.data(), scale4.data(), sum4.data()};

  std::vector<std::uint8_t> q(x.size());
  std::vector<float> scale(n_rows), zero(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    kernels::quantize(&x[row * n_state], n_state, &q[row * n_state], &scale[row], &zero[row]);
  }
  kernels::Team team(2);
  Logits logits(packed, kernels, team, n_rows);
  std::vector<float> out(static_cast<std::size_t>(n_rows) * n_vocab, -1e9F);
  team.run([&](int thread) {
    logits(thread, {q.data(), scale.data(), zero.data()}, n_rows, out.data());
  });
  return out;
}

TEST(Logits, ThoseThatAreNearTheLargestAreAsWithoutTheScreen) {
  const auto isa = kernels::best_isa(platform::probe_cpu());
  if (!isa || kernels::kernels_for(*isa).gemm_int4 == nullptr) {
    GTEST_SKIP() << "needs AVX-512 VNNI";
  }
  const kernels::Kernels all = kernels::kernels_for(*isa);
  const auto screened = logits_by(all);
  const auto plain = logits_by({all.gemm_int8, all.gemm_bfloat16});
  ASSERT_EQ(screened.size(), plain.size());
  int screened_only = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto begin = plain.begin() + static_cast<std::ptrdiff_t>(row * n_vocab);
    const float largest = *std::max_element(begin, begin + n_vocab);
    for (std::size_t at = row * n_vocab; at < (row + 1) * n_vocab; ++at) {
      const bool is_special = at % n_vocab >= 50'256;
      const bool is_near = plain[at] > largest - Logits::margin + 5;  // the screen's own error
      if (is_special || is_near) {
        ASSERT_NEAR(screened[at], plain[at], 1e-3) << at;
      } else {
        ASSERT_NEAR(screened[at], plain[at], 8) << at;
        screened_only += std::abs(screened[at] - plain[at]) > 1e-3 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(screened_only, 0);
}

}  // namespace
}  // namespace engine::cpu
