#include "engine/kernels/top_logits/preselection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/rows.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

constexpr int n_in = 192;
constexpr int n_out = 150;     // does not fill its last panel
constexpr int most_rows = 35;  // more than weights are read once for

// A matrix in both types, and rows to multiply it with.
class Matrices {
 public:
  Matrices() {
    std::mt19937 generator(7);
    std::normal_distribution<float> normal;
    // The part that all outputs have in common is larger than what tells them apart.
    std::array<float, n_in> common;
    for (float& w : common) w = 5 * normal(generator);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      weight_[i] = common[i % n_in] + normal(generator);
    }
    for (float& x : x_) x = normal(generator);
    weight_[3] = common[3] + 5;  // an output with a coarse scale
    pack_int4(weight_, n_out, n_in, packed4_.data(), scale4_.data(), sum4_.data(), mean_.data());
    pack_int8(weight_, n_out, n_in, packed8_.data(), scale8_.data(), sum8_.data());
    for (std::size_t row = 0; row < most_rows; ++row) {
      quantize(&x_[row * n_in], n_in, &q_[row * n_in], &scale_[row], &zero_[row]);
    }
  }

  void set(std::size_t row, std::size_t k, float value) {
    x_[row * n_in + k] = value;
    quantize(&x_[row * n_in], n_in, &q_[row * n_in], &scale_[row], &zero_[row]);
  }

  Int8Rows x() const { return {q_.data(), scale_.data(), zero_.data()}; }
  Int4Matrix int4() const {
    return {n_in, width(), packed4_.data(), scale4_.data(), sum4_.data(), mean_.data()};
  }
  Int8Matrix int8() const {
    return {n_in, width(), packed8_.data(), scale8_.data(), sum8_.data(), bias_.data()};
  }
  static int width() { return padded_outputs(n_out); }

  double exact(int row, int n) const {
    double y = 0;
    for (int k = 0; k < n_in; ++k) {
      y += static_cast<double>(x_[static_cast<std::size_t>(row * n_in + k)]) *
           weight_[static_cast<std::size_t>(n * n_in + k)];
    }
    return y;
  }

 private:
  static constexpr std::size_t outputs = 192;
  std::vector<float> weight_ = std::vector<float>(n_out * n_in);
  std::vector<float> x_ = std::vector<float>(most_rows * n_in);
  AlignedVector<std::uint8_t> packed4_ = AlignedVector<std::uint8_t>(int4_size(n_out, n_in));
  AlignedVector<std::int8_t> packed8_ = AlignedVector<std::int8_t>(outputs * n_in);
  std::vector<float> scale4_ = std::vector<float>(outputs), sum4_ = scale4_;
  std::vector<float> mean_ = std::vector<float>(n_in);
  std::vector<float> scale8_ = scale4_, sum8_ = scale4_, bias_ = scale4_;
  std::vector<std::uint8_t> q_ = std::vector<std::uint8_t>(most_rows * n_in);
  std::vector<float> scale_ = std::vector<float>(most_rows), zero_ = scale_;
};

// Four bits of weights are off by 0.04 of the largest of them, so a sum of 192 by about 1.5.
TEST(Preselection, IsNearTheProductForAnyNumberOfRows) {
  const Matrices matrices;
  for (const Isa isa : isas_of_this_cpu()) {
    const auto gemm = kernels_for(isa).gemm_int4;
    if (gemm == nullptr) continue;
    for (const int rows : {1, 2, 3, 4, 5, 7, 16, 17, most_rows}) {
      std::vector<float> out(static_cast<std::size_t>(rows * Matrices::width()), 1e9F);
      gemm(matrices.x(), rows, matrices.int4(), {0, Matrices::width() / panel_width}, out.data(),
           Matrices::width());
      for (int row = 0; row < rows; ++row) {
        for (int n = 0; n < n_out; ++n) {
          const float found = out[static_cast<std::size_t>(row * Matrices::width() + n)];
          EXPECT_NEAR(found, matrices.exact(row, n), 8) << name(isa) << rows << ' ' << n;
        }
      }
    }
  }
}

TEST(Preselection, RefinedOutputsAreThoseOfInt8AndNoOthersChange) {
  const Matrices matrices;
  for (const Isa isa : isas_of_this_cpu()) {
    const Kernels kernels = kernels_for(isa);
    if (kernels.refine_int8 == nullptr) continue;
    const auto width = static_cast<std::size_t>(Matrices::width());
    std::vector<float> all(2 * width), some(2 * width, 1e9F);
    kernels.gemm_int8(matrices.x(), 2, matrices.int8(), {0, Matrices::width() / panel_width},
                      {Store::float32, all.data(), Matrices::width()});
    const std::vector<int> wanted{0, 3, 63, 64, 149};
    kernels.refine_int8(matrices.x(), 1, matrices.int8(), wanted, &some[width]);
    for (const int n : wanted) {
      const auto at = width + static_cast<std::size_t>(n);
      EXPECT_NEAR(some[at], all[at], 1e-4) << name(isa) << n;
    }
    EXPECT_EQ(std::count(some.begin(), some.end(), 1e9F), 2 * Matrices::width() - 5);
  }
}

TEST(Preselection, WhatIsNoNumberStaysNone) {
  for (const Isa isa : isas_of_this_cpu()) {
    const Kernels kernels = kernels_for(isa);
    if (kernels.gemm_int4 == nullptr) continue;
    for (const float broken : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      Matrices matrices;
      matrices.set(1, 70, broken);
      const auto width = static_cast<std::size_t>(Matrices::width());
      std::vector<float> out(3 * width);
      kernels.gemm_int4(matrices.x(), 3, matrices.int4(), {0, Matrices::width() / panel_width},
                        out.data(), Matrices::width());
      for (std::size_t n = 0; n < n_out; ++n) {
        EXPECT_TRUE(std::isfinite(out[n]) && std::isfinite(out[2 * width + n])) << name(isa);
        EXPECT_FALSE(std::isfinite(out[width + n])) << name(isa) << n;
      }
      std::vector<float> refined(width);
      kernels.refine_int8(matrices.x(), 1, matrices.int8(), std::array{5}, refined.data());
      EXPECT_FALSE(std::isfinite(refined[5])) << name(isa);
    }
  }
}

}  // namespace
}  // namespace engine::kernels
