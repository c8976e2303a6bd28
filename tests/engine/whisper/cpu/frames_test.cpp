#include "engine/whisper/cpu/frames.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace engine::cpu {
namespace {

constexpr int count = 5;
constexpr int width = 4;

// Returns a row that a convolution reads, as floats.
std::vector<float> row_of(const Rows& rows, int row) {
  std::vector<float> found;
  for (int i = 0; i < 3 * width; ++i) {
    if (const auto* floats = std::get_if<kernels::Float32Rows>(&rows)) {
      found.push_back(floats->data[row * floats->stride + i]);
    } else {
      const auto& halves = std::get<kernels::Bfloat16Rows>(rows);
      found.push_back(kernels::to_float(halves.data[row * halves.stride + i]));
    }
  }
  return found;
}

class FramesTest : public testing::TestWithParam<Matrix> {
 protected:
  FramesTest() {
    // The numbers of a frame are a column of this.
    std::array<float, std::size_t{count} * width> columns;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<float>(i + 1);
    for (int frame = 0; frame < count; ++frame) frames_.set(frame, columns.data() + frame, count);
  }
  static std::vector<float> frame(int at) {
    std::vector<float> numbers(width);
    for (int i = 0; i < width && at >= 0 && at < count; ++i) {
      numbers[static_cast<std::size_t>(i)] = static_cast<float>(i * count + at + 1);
    }
    return numbers;
  }
  static std::vector<float> around(int at) {
    std::vector<float> three;
    for (const int which : {at - 1, at, at + 1}) {
      const auto numbers = frame(which);
      three.insert(three.end(), numbers.begin(), numbers.end());
    }
    return three;
  }

  Frames frames_{count, width, GetParam()};
};

TEST_P(FramesTest, ARowIsThreeFramesWithSilenceBeyondTheEdges) {
  for (int at = 0; at < count; ++at) EXPECT_EQ(row_of(frames_.around(0, 1), at), around(at));
  EXPECT_EQ(row_of(frames_.around(2, 1), 1), around(3));
}

TEST_P(FramesTest, ARowMayBeTwoFramesBehindTheOneBefore) {
  EXPECT_EQ(row_of(frames_.around(0, 2), 1), around(2));
  EXPECT_EQ(row_of(frames_.around(2, 2), 1), around(4));
}

TEST_P(FramesTest, WhatIsWrittenIsReadAgain) {
  const kernels::Output out = frames_.gelu_from(3);
  EXPECT_EQ(out.stride, width);
  if (std::holds_alternative<kernels::Float32Matrix>(GetParam())) {
    EXPECT_EQ(out.store, kernels::Store::exact_gelu);
    static_cast<float*>(out.data)[1] = 0.5F;
  } else {
    EXPECT_EQ(out.store, kernels::Store::gelu_bfloat16);
    static_cast<kernels::Bfloat16*>(out.data)[1] = kernels::to_bfloat16(0.5F);
  }
  EXPECT_EQ(row_of(frames_.around(3, 1), 0)[width + 1], 0.5F);
}

INSTANTIATE_TEST_SUITE_P(Types, FramesTest,
                         testing::Values(Matrix(kernels::Float32Matrix{}),
                                         Matrix(kernels::Bfloat16Matrix{})));

}  // namespace
}  // namespace engine::cpu
