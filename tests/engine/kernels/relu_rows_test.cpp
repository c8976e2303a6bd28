#include "engine/kernels/relu_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace engine::kernels {
namespace {

std::vector<float> waves(int n, float angle) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = 3 * std::sin(angle * i);
  return x;
}

TEST(ReluRows, CutWhatIsNegativeAndTellTheLargest) {
  const std::vector<float> x = waves(40, 0.7F);
  std::vector<float> y = x;
  EXPECT_EQ(relu(y.data(), 40), *std::ranges::max_element(x));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], std::max(x[i], 0.0F));
}

TEST(ReluRows, AddBeforeTheyCut) {
  const std::vector<float> x = waves(40, 0.7F);
  const std::vector<float> y = waves(40, 0.3F);
  std::vector<float> sum = x;
  const float largest = add_relu(sum.data(), y.data(), 40);
  EXPECT_EQ(largest, *std::ranges::max_element(sum));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(sum[i], std::max(x[i] + y[i], 0.0F));
}

TEST(ReluRows, NormEachElementByItself) {
  const std::vector<float> x = waves(24, 0.7F);
  const std::vector<float> scale = waves(24, 0.2F);
  const std::vector<float> shift = waves(24, 1.3F);
  std::vector<float> y(24);
  norm_relu(x.data(), scale.data(), shift.data(), 24, y.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(y[i], std::max(x[i] * scale[i] + shift[i], 0.0F), 1e-6);
  }
}

TEST(ReluRows, QuantizeWithinHalfAStep) {
  std::vector<float> x = waves(40, 0.7F);
  const float scale = relu(x.data(), 40) / 255;
  std::vector<std::uint8_t> q(40);
  quantize_positive(x.data(), 40, scale, q.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(scale * q[i], x[i], 0.501F * scale);
  EXPECT_EQ(*std::ranges::max_element(q), 255);
}

TEST(ReluRows, QuantizeZerosToZeros) {
  const std::vector<float> x(8);
  std::vector<std::uint8_t> q(8, 7);
  quantize_positive(x.data(), 8, 0, q.data());
  EXPECT_EQ(q, std::vector<std::uint8_t>(8));
}

TEST(ReluRows, RoundToBfloat16) {
  const std::vector<float> x = waves(16, 0.7F);
  std::vector<Bfloat16> y(16);
  round_row(x.data(), 16, y.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], to_bfloat16(x[i]));
}

}  // namespace
}  // namespace engine::kernels
