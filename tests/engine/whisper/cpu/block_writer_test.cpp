#include "engine/whisper/cpu/block_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"
#include "tests/engine/whisper/cpu/unpacked.h"

namespace engine::cpu {
namespace {

constexpr int n_out = 70;  // not whole panels
constexpr int n_in = 64;

class BlockWriterTest : public testing::Test {
 protected:
  BlockWriterTest() {
    add("first.weight", n_out, n_in, 1);
    add("first.bias", 1, n_out, 1);
    add("second.weight", n_out, n_in, 1);  // without a bias
    add("norm.weight", 1, n_in, 1);
    add("norm.bias", 1, n_in, 1);
    add("convolution.weight", n_out, 3 * 8, 1);
    add("convolution.bias", 1, n_out, 1);
  }
  void add(const std::string& name, int rows, int columns, float deviation) {
    tensors_.emplace(name,
                     random_rows(rows, columns, deviation, static_cast<unsigned>(tensors_.size())));
  }
  float number(const std::string& name, int row, int column) const {
    return tensors_.at(name).row(row)[column];
  }
  Weights weights() const {
    WeightsContent content;
    for (const auto& [name, numbers] : tensors_) {
      content.tensors[name] = {
          DType::f32, {numbers.rows, numbers.columns}, std::as_bytes(std::span(numbers.data)), {}};
    }
    return {std::vector<MappedFile>{}, std::move(content)};
  }

  std::map<std::string, Floats> tensors_{};
  kernels::AlignedVector<std::byte> memory_ = kernels::AlignedVector<std::byte>(1 << 20);
};

TEST_F(BlockWriterTest, MeasuresWhatItWillWriteAndFindsItAgain) {
  const Weights all = weights();
  const auto walk = [](BlockWriter& block) {
    block.floats("norm.weight", n_in);
    block.layer_norm("norm", n_in);
    const auto matrix = block.linear({{"first"}, {"second"}}, n_out, n_in, MatrixType::int8);
    block.logits("norm", "first", n_out, n_in, MatrixType::int8);
    block.behind_norm("norm", {{"first"}, {"second"}}, n_out, n_in, MatrixType::int8);
    block.linear({{"first"}}, n_out, n_in, MatrixType::float32);
    block.convolution("convolution", n_out, 8, MatrixType::bfloat16);
    return matrix;
  };
  BlockWriter measure(nullptr, &all), writer(memory_.data(), &all), reader(memory_.data(), nullptr);
  EXPECT_EQ(place_of(walk(measure)), nullptr);
  const auto written = walk(writer);
  const auto found = walk(reader);
  EXPECT_EQ(measure.size(), writer.size());
  EXPECT_EQ(reader.size(), writer.size());
  EXPECT_EQ(writer.size() % BlockWriter::alignment, 0U);
  EXPECT_EQ(place_of(found), place_of(written));
  EXPECT_EQ(weight_of(found, 3, 5), weight_of(written, 3, 5)) << "reading writes nothing";
}

TEST_F(BlockWriterTest, LayersOfOneInputFollowEachOtherEachWithItsFactor) {
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const auto matrix = std::get<kernels::Int8Matrix>(
      writer.linear({{"first", 0.5F}, {"second"}}, n_out, n_in, MatrixType::int8));
  EXPECT_EQ(matrix.n_out, kernels::padded_outputs(2 * n_out));
  for (int n = 0; n < n_out; ++n) {
    for (int k = 0; k < n_in; ++k) {
      EXPECT_NEAR(weight_of(matrix, n, k), 0.5F * number("first.weight", n, k), 0.01);
      EXPECT_NEAR(weight_of(matrix, n_out + n, k), number("second.weight", n, k), 0.02);
    }
    EXPECT_FLOAT_EQ(matrix.bias[n], 0.5F * number("first.bias", 0, n));
    EXPECT_EQ(matrix.bias[n_out + n], 0) << "that the model does not have";
  }
  for (int n = 2 * n_out; n < matrix.n_out; ++n) {
    EXPECT_EQ(matrix.scale[n], 0);
    EXPECT_EQ(matrix.bias[n], 0);
  }
}

TEST_F(BlockWriterTest, ALayerIsRoundedToBfloat16OrStaysAsItIs) {
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const auto rounded = writer.linear({{"first"}}, n_out, n_in, MatrixType::bfloat16);
  const auto exact = writer.linear({{"first"}}, n_out, n_in, MatrixType::float32);
  for (int n = 0; n < n_out; ++n) {
    for (int k = 0; k < n_in; ++k) {
      const float expected = number("first.weight", n, k);
      EXPECT_EQ(weight_of(rounded, n, k), kernels::to_float(kernels::to_bfloat16(expected)));
      EXPECT_EQ(weight_of(exact, n, k), expected);
    }
    EXPECT_EQ(bias_of(rounded, n), number("first.bias", 0, n));
    EXPECT_EQ(bias_of(exact, n), number("first.bias", 0, n));
  }
  for (int n = n_out; n < outputs(exact); ++n) {
    EXPECT_EQ(weight_of(exact, n, 0), 0);
    EXPECT_EQ(bias_of(exact, n), 0);
  }
}

// A weight times a factor may be too small for float16, so factors are kept apart.
TEST_F(BlockWriterTest, InFloat16FactorsTakeNothingFromSmallWeights) {
  constexpr float smallest = 0x1p-24F;
  for (auto& [name, numbers] : tensors_) {
    std::ranges::fill(numbers.data, name == "first.weight" ? smallest : -1.5F);
  }
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const auto matrix =
      writer.linear({{"first", 0.125F}, {"second"}}, n_out, n_in, MatrixType::float16);
  EXPECT_EQ(weight_of(matrix, 3, 5), 0.125F * smallest);
  EXPECT_EQ(weight_of(matrix, n_out + 3, 5), -1.5F);
  EXPECT_EQ(bias_of(matrix, 3), 0.125F * -1.5F);
  EXPECT_EQ(weight_of(matrix, outputs(matrix) - 1, 5), 0);
  EXPECT_EQ(outputs(matrix), kernels::padded_outputs(2 * n_out));
}

TEST_F(BlockWriterTest, AConvolutionHasTheChannelsOfOneMomentTogether) {
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const auto matrix = writer.convolution("convolution", n_out, 8, MatrixType::float32);
  EXPECT_EQ(std::get<kernels::Float32Matrix>(matrix).n_in, 24);
  for (int n = 0; n < n_out; ++n) {
    for (int channel = 0; channel < 8; ++channel) {
      for (int moment = 0; moment < 3; ++moment) {
        const float expected = number("convolution.weight", n, channel * 3 + moment);
        EXPECT_EQ(weight_of(matrix, n, moment * 8 + channel), expected);
      }
    }
  }
}

// A layer norm and the matrix behind it share factors; their product stays what it was.
TEST_F(BlockWriterTest, WhatGoesIntoTheColumnsComesOutOfTheNorm) {
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const auto [norm, matrix] =
      writer.behind_norm("norm", {{"first"}, {"second"}}, n_out, n_in, MatrixType::int8);
  bool moved = false;
  for (int k = 0; k < n_in; ++k) {
    const float factor = number("norm.weight", 0, k) / norm.weight[k];
    moved |= std::abs(factor - 1) > 0.1F;
    EXPECT_NEAR(norm.bias[k] * factor, number("norm.bias", 0, k), 1e-5F);
    for (int n = 0; n < n_out; ++n) {
      EXPECT_NEAR(weight_of(matrix, n, k) / factor, number("first.weight", n, k), 0.05);
      EXPECT_NEAR(weight_of(matrix, n_out + n, k) / factor, number("second.weight", n, k), 0.05);
    }
  }
  EXPECT_TRUE(moved);
}

TEST_F(BlockWriterTest, OnlyInt8MovesFactors) {
  const Weights all = weights();
  for (const MatrixType type : {MatrixType::float32, MatrixType::bfloat16}) {
    BlockWriter writer(memory_.data(), &all);
    const auto [norm, matrix] = writer.behind_norm("norm", {{"first"}}, n_out, n_in, type);
    EXPECT_EQ(norm.weight[5], number("norm.weight", 0, 5)) << name(type);
    EXPECT_NEAR(weight_of(matrix, 3, 5), number("first.weight", 3, 5), 0.01) << name(type);
  }
}

TEST_F(BlockWriterTest, ALayerInPartsIsTheWholeLayer) {
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all), reader(memory_.data(), nullptr);
  const auto parts = writer.linear_by_inputs("first", n_out, n_in, 2, MatrixType::int8);
  ASSERT_EQ(parts.size(), 2U);
  for (int n = 0; n < n_out; ++n) {
    for (int k = 0; k < n_in; ++k) {
      const Matrix& part = parts[static_cast<std::size_t>(k / 32)];
      EXPECT_NEAR(weight_of(part, n, k % 32), number("first.weight", n, k), 0.02);
    }
    EXPECT_EQ(bias_of(parts[0], n), number("first.bias", 0, n));
    EXPECT_EQ(bias_of(parts[1], n), 0);
  }
  const auto found = reader.linear_by_inputs("first", n_out, n_in, 2, MatrixType::int8);
  EXPECT_EQ(place_of(found[1]), place_of(parts[1]));
}

TEST_F(BlockWriterTest, TheBlockSaysWhichLayersAreTooCoarseInInt8) {
  tensors_.at("norm.bias").data[7] = 1000;
  const Weights all = weights();
  BlockWriter measure(nullptr, &all), writer(memory_.data(), &all), reader(memory_.data(), nullptr);
  measure.linear({{"first"}}, n_out, n_in, MatrixType::int8);
  measure.linear({{"first"}}, n_out, n_in, MatrixType::int8, {}, "norm");
  for (BlockWriter* block : {&writer, &reader}) {
    const Matrix fine = block->linear({{"first"}}, n_out, n_in, MatrixType::int8);
    const Matrix coarse = block->linear({{"first"}}, n_out, n_in, MatrixType::int8, {}, "norm");
    EXPECT_TRUE(std::holds_alternative<kernels::Int8Matrix>(fine));
    EXPECT_TRUE(std::holds_alternative<kernels::Bfloat16Matrix>(coarse));
    EXPECT_NEAR(weight_of(coarse, 3, 5), number("first.weight", 3, 5), 0.01);
    EXPECT_EQ(block->size(), measure.size());
  }
  EXPECT_EQ(reader.size(), writer.size());
}

TEST_F(BlockWriterTest, LogitsStayInInt8AndSayHowFarPreselectionIsOff) {
  for (int n = 0; n < n_out; ++n) tensors_.at("second.weight").row(n)[n % n_in] = 30;
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const LogitMatrices fine = writer.logits("norm", "first", n_out, n_in, MatrixType::int8);
  const LogitMatrices coarse = writer.logits("norm", "second", n_out, n_in, MatrixType::int8);
  EXPECT_TRUE(std::holds_alternative<kernels::Int8Matrix>(coarse.matrix));
  EXPECT_GT(*fine.preselection.deviation, 0);
  EXPECT_GT(*coarse.preselection.deviation, 3 * *fine.preselection.deviation);
  const LogitMatrices exact = writer.logits("norm", "first", n_out, n_in, MatrixType::float32);
  EXPECT_EQ(exact.preselection.deviation, nullptr);
}

TEST_F(BlockWriterTest, AWeightThatIsNoNumberOrAbsurdIsADamagedModel) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {nan, -std::numeric_limits<float>::infinity(), 2e38F, -2e7F}) {
    for (const char* tensor : {"norm.weight", "norm.bias", "first.weight", "first.bias"}) {
      const float good = std::exchange(tensors_.at(tensor).data[7], bad);
      for (const MatrixType type : {MatrixType::float32, MatrixType::int8}) {
        const Weights all = weights();
        BlockWriter writer(memory_.data(), &all);
        try {
          writer.behind_norm("norm", {{"first"}}, n_out, n_in, type);
          ADD_FAILURE() << tensor << ' ' << bad << ": nothing was thrown";
        } catch (const Exception& thrown) {
          EXPECT_EQ(thrown.error.code, Errc::damaged_model);
          EXPECT_NE(thrown.error.message.find(tensor), std::string::npos) << thrown.error.message;
        }
      }
      tensors_.at(tensor).data[7] = good;
    }
  }
}

TEST_F(BlockWriterTest, TheLargestNumbersThatAreAllowedPackIntoFiniteOnes) {
  for (auto& [name, numbers] : tensors_) {
    for (float& number : numbers.data) number = std::copysign(1e7F, number);
  }
  const Weights all = weights();
  BlockWriter writer(memory_.data(), &all);
  const LogitMatrices found = writer.logits("norm", "first", n_out, n_in, MatrixType::int8);
  EXPECT_TRUE(std::isfinite(*found.preselection.deviation));
  for (int n = 0; n < n_out; ++n) {
    EXPECT_TRUE(std::isfinite(weight_of(found.matrix, n, 5))) << n;
    EXPECT_TRUE(std::isfinite(found.preselection.scale[n])) << n;
  }
  for (int k = 0; k < n_in; ++k) EXPECT_TRUE(std::isfinite(found.norm.weight[k])) << k;
}

}  // namespace
}  // namespace engine::cpu
