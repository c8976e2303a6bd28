#include "engine/vad/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace engine {
namespace {

std::vector<float> random_numbers(std::size_t count) {
  std::mt19937 generator(7);
  std::vector<float> numbers(count);
  for (float& n : numbers) n = static_cast<float>(generator() % 2001) / 1000.0f - 1.0f;
  return numbers;
}

TEST(Dense, MultipliesAnyNumberOfRowsAndOutputs) {
  if (!Dense::runs_here()) GTEST_SKIP() << "needs AVX2";
  constexpr std::size_t inputs = 13;
  for (const std::size_t n_out : {1, 16, 17, 64, 100}) {
    const auto numbers = random_numbers(inputs * n_out + n_out + 9 * inputs);
    const std::span<const float> weight(numbers.data(), inputs * n_out);
    const std::span<const float> bias(weight.data() + weight.size(), n_out);
    const float* x = bias.data() + n_out;
    const Dense dense(inputs, weight, bias);
    const auto width = static_cast<std::size_t>(dense.outputs());
    EXPECT_EQ(width, (n_out + 15) / 16 * 16);
    for (std::size_t n_rows = 0; n_rows <= 9; ++n_rows) {
      std::vector<float> plain(n_rows * width, -9);
      std::vector<float> relu = plain;
      std::vector<DenseRow> rows;
      for (std::size_t r = 0; r < n_rows; ++r) rows.push_back({x + r * inputs, &plain[r * width]});
      dense.apply(rows);
      for (std::size_t r = 0; r < n_rows; ++r) rows[r].out = &relu[r * width];
      dense.apply_relu(rows);
      for (std::size_t r = 0; r < n_rows; ++r) {
        for (std::size_t o = 0; o < width; ++o) {
          double sum = o < n_out ? bias[o] : 0;
          for (std::size_t i = 0; o < n_out && i < inputs; ++i) {
            sum += static_cast<double>(weight[o * inputs + i]) * x[r * inputs + i];
          }
          ASSERT_NEAR(plain[r * width + o], sum, 1e-5) << n_out << ' ' << n_rows;
          ASSERT_NEAR(relu[r * width + o], std::max(0.0, sum), 1e-5) << n_out << ' ' << n_rows;
        }
      }
    }
  }
}

TEST(Dense, TakesNoNumberForTheLowest) {
  if (!Dense::runs_here()) GTEST_SKIP() << "needs AVX2";
  const float weight = 1;
  const Dense dense(1, {&weight, 1}, {});
  const float in = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> out(16);
  const DenseRow row{&in, out.data()};
  dense.apply_relu({&row, 1});
  EXPECT_EQ(out[0], 0);
  dense.apply({&row, 1});
  EXPECT_EQ(out[0], std::numeric_limits<float>::lowest());
}

}  // namespace
}  // namespace engine
