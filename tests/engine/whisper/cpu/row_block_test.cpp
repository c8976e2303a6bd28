#include "engine/whisper/cpu/row_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/bfloat16.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"

namespace engine::cpu {
namespace {

constexpr int rows = RowBlock::size;
constexpr int n = 64;

class RowBlockTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  }
  kernels::LayerNormWeights norm() const { return {weight.data.data(), bias.data.data()}; }
  // What a layer norm makes of a row, in double precision.
  double normal(const float* x, int at) const {
    double mean = 0, variance = 0;
    for (int i = 0; i < n; ++i) mean += double(x[i]) / n;
    for (int i = 0; i < n; ++i) variance += std::pow(double(x[i]) - mean, 2) / n;
    const double scaled = (double(x[at]) - mean) / std::sqrt(variance + 1e-5);
    return scaled * double(weight.data[static_cast<std::size_t>(at)]) +
           double(bias.data[static_cast<std::size_t>(at)]);
  }
  // A number of rows of `width` as the kernels would read it.
  static double value(const kernels::Int8Rows& found, int row, int at, int width) {
    return double(found.scale[row]) * (found.data[row * width + at] - double(found.zero[row]));
  }

  kernels::Int8Rows quantize(const float* x, int width, std::ptrdiff_t stride) {
    return std::get<kernels::Int8Rows>(
        block.prepare(x, {0, rows}, width, stride, kernels::Int8Matrix{}));
  }

  Floats weight = random_rows(1, n, 0.5F, 1);
  Floats bias = random_rows(1, n, 0.5F, 2);
  RowBlock block{n, 4 * n};
};

TEST_F(RowBlockTest, SeveralMayBringSomeRowsEach) {
  const Floats x = random_rows(rows, n, 1, 9);
  const auto whole = quantize(x.data.data(), n, n);
  const std::vector<std::uint8_t> expected(whole.data, whole.data + rows * n);
  RowBlock parts(n, 4 * n);
  for (const kernels::Span some : {kernels::Span{20, rows}, kernels::Span{0, 20}}) {
    const auto found = std::get<kernels::Int8Rows>(
        parts.prepare(x.data.data(), some, n, n, kernels::Int8Matrix{}));
    EXPECT_EQ(found.scale[some.begin], whole.scale[some.begin]);
    EXPECT_TRUE(std::equal(found.data + some.begin * n, found.data + some.end * n,
                           expected.begin() + some.begin * n));
  }
}

TEST_F(RowBlockTest, AWindowsRowsAreSharedInTiles) {
  for (const int threads : {1, 2, 24, 64}) {
    int next = 0, most = 0;
    for (int thread = 0; thread < threads; ++thread) {
      const kernels::Span span = RowBlock::share(1500, thread, threads);
      EXPECT_EQ(span.begin, next);
      EXPECT_EQ(span.begin % 16, 0);
      next = span.end;
      most = std::max(most, span.end - span.begin);
    }
    EXPECT_EQ(next, 1500);
    EXPECT_LE(most, 1500 / threads + 16) << threads;
  }
}

TEST_F(RowBlockTest, EachRowIsQuantizedWithItsOwnRange) {
  Floats x = random_rows(rows, n, 1, 3);
  for (int i = 0; i < n; ++i) x.row(5)[i] *= 100;
  const auto found = quantize(x.data.data(), n, n);
  for (int row = 0; row < rows; ++row) {
    const double step = row == 5 ? 3 : 0.03;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(value(found, row, i, n), x.row(row)[i], step) << row;
  }
}

TEST_F(RowBlockTest, RowsMayLieApartAndBeAsWideAsTheHiddenOnes) {
  const Floats apart = random_rows(rows, 3 * n, 1, 4);
  const auto part = quantize(apart.data.data() + n, n, 3 * n);
  for (int row = 0; row < rows; ++row) {
    EXPECT_NEAR(value(part, row, 7, n), apart.row(row)[n + 7], 0.03) << row;
  }
  const Floats wide = random_rows(rows, 4 * n, 1, 5);
  const auto hidden = quantize(wide.data.data(), 4 * n, 4 * n);
  EXPECT_NEAR(value(hidden, rows - 1, 4 * n - 1, 4 * n), wide.data.back(), 0.03);
}

TEST_F(RowBlockTest, NormsComeBeforeTheRounding) {
  const Floats x = random_rows(rows, n, 5, 6);
  const auto bytes = std::get<kernels::Int8Rows>(
      block.normalize(x.data.data(), {0, rows}, n, norm(), kernels::Int8Matrix{}));
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(value(bytes, row, i, n), normal(x.row(row), i), 0.03) << row;
    }
  }
  const auto halves = std::get<kernels::Bfloat16Rows>(
      block.normalize(x.data.data(), {0, rows}, n, norm(), kernels::Bfloat16Matrix{}));
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      const double expected = normal(x.row(row), i);
      const float found = kernels::to_float(halves.data[row * halves.stride + i]);
      EXPECT_NEAR(found, expected, 0.005 * std::abs(expected) + 1e-4) << row;
    }
  }
}

TEST_F(RowBlockTest, RoundingIsToTheNearestBfloat16) {
  const Floats x = random_rows(rows, n, 5, 7);
  const auto halves = std::get<kernels::Bfloat16Rows>(
      block.prepare(x.data.data(), {0, rows}, n, n, kernels::Bfloat16Matrix{}));
  EXPECT_EQ(halves.stride, n);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(halves.data[row * n + i], kernels::to_bfloat16(x.row(row)[i]));
    }
  }
}

TEST_F(RowBlockTest, Float32RowsStayWhereTheyLie) {
  const Floats x = random_rows(rows, 2 * n, 5, 8);
  const auto found = std::get<kernels::Float32Rows>(
      block.prepare(x.data.data() + n, {0, rows}, n, 2 * n, kernels::Float32Matrix{}));
  EXPECT_EQ(found.data, x.data.data() + n);
  EXPECT_EQ(found.stride, 2 * n);
  const auto normed = std::get<kernels::Float32Rows>(
      block.normalize(x.data.data(), {0, rows}, n, norm(), kernels::Float32Matrix{}));
  EXPECT_NEAR(normed.data[3 * normed.stride + 7], normal(x.data.data() + 3 * n, 7), 1e-5);
}

TEST_F(RowBlockTest, BetweenTwoLayersIsRoomForItsWidestRows) {
  for (int i = 0; i < rows * 4 * n; ++i) block.between()[i] = 1;
  const auto found = quantize(block.between(), 4 * n, 4 * n);
  EXPECT_NEAR(value(found, rows - 1, 4 * n - 1, 4 * n), 1, 1e-5);
}

}  // namespace
}  // namespace engine::cpu
