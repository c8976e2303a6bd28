#include "engine/kernels/channel_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace engine::kernels {
namespace {

std::vector<float> numbers(int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    x[static_cast<std::size_t>(i)] = 2 * std::sin(0.37F * i) + 0.5F * std::cos(1.9F * i);
  }
  return x;
}

TEST(ChannelRows, PoolThreeRowsThatLieApart) {
  const std::vector<float> x = numbers(3 * 24);
  std::vector<float> largest(16);
  std::vector<float> sizes(16);
  pool(x.data(), 24, 16, largest.data());
  pool_sizes(x.data(), 24, 16, sizes.data());
  for (std::size_t c = 0; c < 16; ++c) {
    EXPECT_EQ(largest[c], std::max({x[c], x[24 + c], x[48 + c]}));
    EXPECT_EQ(sizes[c], std::max({std::abs(x[c]), std::abs(x[24 + c]), std::abs(x[48 + c])}));
  }
}

// There are more rows than are added up in float32.
TEST(ChannelRows, NormEachChannelOverItsRows) {
  constexpr int rows = 150;
  constexpr int channels = 16;
  const std::vector<float> x = numbers(rows * channels);
  const std::vector<float> weight = numbers(channels);
  const std::vector<float> bias(channels, 0.2F);
  std::vector<float> y = x;
  norm_channels(y.data(), rows, channels, weight.data(), bias.data());
  for (std::size_t c = 0; c < channels; ++c) {
    double mean = 0;
    double variance = 0;
    for (std::size_t row = 0; row < rows; ++row) mean += x[row * channels + c] / rows;
    for (std::size_t row = 0; row < rows; ++row) {
      variance += std::pow(x[row * channels + c] - mean, 2) / rows;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const double normed =
          (x[row * channels + c] - mean) / std::sqrt(variance + 1e-5) * weight[c] + 0.2;
      ASSERT_NEAR(y[row * channels + c], normed < 0 ? 0.01 * normed : normed, 1e-5) << c;
    }
  }
}

TEST(ChannelRows, LeakBelowZero) {
  std::vector<float> x{-2, -1, 0, 1, 2, 3, -4, 5};
  leaky_relu(x.data(), 8);
  EXPECT_EQ(x, (std::vector<float>{-0.02F, -0.01F, 0, 1, 2, 3, -0.04F, 5}));
}

TEST(ChannelRows, AddAndSubtract) {
  const std::vector<float> x = numbers(16);
  const std::vector<float> y(16, 0.5F);
  std::vector<float> sums(16);
  std::vector<float> differences(16);
  add_and_subtract(x.data(), y.data(), 16, sums.data(), differences.data());
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(sums[i], x[i] + 0.5F);
    EXPECT_EQ(differences[i], x[i] - 0.5F);
  }
}

// Gates reach far to both sides, where exponentials end.
TEST(ChannelRows, StepAnLstm) {
  constexpr int n = 40;
  std::vector<float> gates = numbers(4 * n);
  for (std::size_t i = 0; i < gates.size(); i += 7) gates[i] *= 60;
  const std::vector<float> before = numbers(n);
  std::vector<float> cells = before;
  std::vector<float> out(n);
  lstm_step(gates.data(), n, cells.data(), out.data());
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (std::size_t i = 0; i < n; ++i) {
    const double cell = sigmoid(gates[n + i]) * before[i] +
                        sigmoid(gates[i]) * std::tanh(static_cast<double>(gates[2 * n + i]));
    EXPECT_NEAR(cells[i], cell, 3e-6) << i;
    EXPECT_NEAR(out[i], sigmoid(gates[3 * n + i]) * std::tanh(cell), 3e-6) << i;
  }
}

}  // namespace
}  // namespace engine::kernels
