#include "engine/kernels/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace engine::kernels {
namespace {

std::vector<float> waves(int n, float offset) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = offset + std::sin(0.7F * i);
  return x;
}

TEST(Quantize, IsWithinHalfAStepWhateverTheRangeIs) {
  for (const float offset : {-5.0F, -0.3F, 0.0F, 2.0F}) {
    for (const int n : {64, 80, 384}) {
      const std::vector<float> x = waves(n, offset);
      std::vector<std::uint8_t> q(x.size());
      float scale = 0;
      float zero = 0;
      quantize(x.data(), n, q.data(), &scale, &zero);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(scale * (static_cast<float>(q[i]) - zero), x[i], 1.01F * scale) << offset;
      }
      EXPECT_EQ(zero, std::nearbyint(zero));
    }
  }
}

TEST(Quantize, KeepsARowOfZeros) {
  const std::vector<float> x(64);
  std::vector<std::uint8_t> q(64, 9);
  float scale = -1;
  float zero = -1;
  quantize(x.data(), 64, q.data(), &scale, &zero);
  EXPECT_EQ(scale * (static_cast<float>(q[17]) - zero), 0.0F);
}

TEST(Quantize, ARowThatIsNotAllNumbersHasNoScale) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float broken : {nan, -nan, infinity, -infinity}) {
    for (const std::size_t at : {0U, 7U, 33U, 79U}) {
      for (const int n : {64, 80}) {
        std::vector<float> x = waves(n, 1);
        if (at >= x.size()) continue;
        x[at] = broken;
        std::vector<std::uint8_t> q(x.size());
        float scale = 0;
        float zero = 0;
        quantize(x.data(), n, q.data(), &scale, &zero);
        EXPECT_TRUE(std::isnan(scale)) << broken << " at " << at << " of " << n;
      }
    }
  }
}

TEST(Quantize, KeepsTheLargestNumbers) {
  std::vector<float> x(64, -std::numeric_limits<float>::max() / 4);
  x[5] = std::numeric_limits<float>::max() / 4;
  std::vector<std::uint8_t> q(64);
  float scale = 0;
  float zero = 0;
  quantize(x.data(), 64, q.data(), &scale, &zero);
  EXPECT_NEAR(scale * (static_cast<float>(q[5]) - zero) / x[5], 1, 0.01);
}

TEST(Round, IsToTheNearestBfloat16) {
  std::vector<float> x = waves(64, 3);
  x[7] = std::nanf("");
  std::vector<Bfloat16> out(64);
  round(x.data(), 64, out.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], to_bfloat16(x[i])) << i;
}

TEST(LayerNorm, HasTheGivenMeanAndDeviation) {
  const std::vector<float> x = waves(512, 3);
  const std::vector<float> weight(512, 2.0F);
  const std::vector<float> bias(512, 0.5F);
  std::vector<float> out(512);
  layer_norm(x.data(), {weight.data(), bias.data()}, 512, out.data());
  double sum = 0;
  double squares = 0;
  for (const float value : out) {
    sum += value;
    squares += (value - 0.5) * (value - 0.5);
  }
  EXPECT_NEAR(sum / 512, 0.5, 1e-5);
  EXPECT_NEAR(std::sqrt(squares / 512), 2, 1e-3);
}

}  // namespace
}  // namespace engine::kernels
