#include "engine/whisper/cpu/int8_rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/engine/whisper/cpu/plain_whisper.h"

namespace engine::cpu {
namespace {

constexpr int layer_outputs = 96;
constexpr int layer_inputs = 64;
constexpr int layer_rows = 200;

// Rounds to whole steps.
float rounded(float x, float step) {
  return step == 0 ? 0 : std::round(x / step) * step;
}

// A layer, and rows as its spread says.
struct Layer {
  explicit Layer(InputSpread spread) : inputs(std::move(spread)) {
    std::mt19937 generator(5);
    std::normal_distribution<float> normal;
    for (int row = 0; row < layer_rows; ++row) {
      for (int k = 0; k < layer_inputs; ++k) {
        const auto at = static_cast<std::size_t>(k);
        rows.row(row)[k] = inputs.mean[at] + inputs.deviation[at] * normal(generator);
      }
    }
  }

  // Returns how far the outputs are off when rows and weights are rounded, relative to how much
  // they vary.
  float measured_error() const {
    Floats rough_rows = rows;
    for (int row = 0; row < layer_rows; ++row) {
      const auto [least, most] = std::minmax_element(rows.row(row), rows.row(row) + layer_inputs);
      const float step = (std::max(*most, 0.0F) - std::min(*least, 0.0F)) / 255;
      for (int k = 0; k < layer_inputs; ++k)
        rough_rows.row(row)[k] = rounded(rows.row(row)[k], step);
    }
    double sum = 0;
    for (int n = 0; n < layer_outputs; ++n) sum += square_error_of(n, rough_rows) / layer_outputs;
    return static_cast<float>(std::sqrt(sum));
  }
  // Returns this for one output, squared.
  double square_error_of(int n, const Floats& rough_rows) const {
    const float* w = weight.row(n);
    float largest = 0;
    for (int k = 0; k < layer_inputs; ++k) largest = std::max(largest, std::abs(w[k]));
    double error = 0, signal = 0;
    for (int row = 0; row < layer_rows; ++row) {
      double exact = 0, rough = 0, middle = 0;
      for (int k = 0; k < layer_inputs; ++k) {
        exact += double(rows.row(row)[k]) * double(w[k]);
        rough += double(rough_rows.row(row)[k]) * double(rounded(w[k], largest / 127));
        middle += double(inputs.mean[static_cast<std::size_t>(k)]) * double(w[k]);
      }
      error += (rough - exact) * (rough - exact);
      signal += (exact - middle) * (exact - middle);
    }
    return error / signal;
  }
  float estimated_error() const { return int8_error(inputs, weight.data); }
  void make_easier() { move_factors(column_factors(inputs, weight.data), inputs, weight.data); }

  InputSpread inputs;
  Floats weight = random_rows(layer_outputs, layer_inputs, 0.1F, 3);
  Floats rows{layer_rows, layer_inputs};
};

InputSpread with_outliers() {
  InputSpread spread = equal_spread(layer_inputs);
  spread.deviation[7] = 40;
  spread.mean[9] = -25;
  return spread;
}

TEST(Int8Error, IsAboutWhatRoundingRowsAndWeightsDoes) {
  const Layer layer(equal_spread(layer_inputs));
  EXPECT_NEAR(layer.estimated_error() / layer.measured_error(), 1, 0.3);
  EXPECT_LT(layer.estimated_error(), most_int8_error);
}

TEST(Int8Error, OfRowsWhoseRangeOneInputMakesIsNeverTooSmall) {
  const Layer layer(with_outliers());
  EXPECT_GT(layer.estimated_error(), layer.measured_error());
  EXPECT_LT(layer.estimated_error(), 4 * layer.measured_error());
}

TEST(Int8Error, SeesAMeanThatLeavesTheOthersNoSteps) {
  Layer layer(equal_spread(layer_inputs));
  layer.inputs.mean[5] = 1000;
  EXPECT_GT(layer.estimated_error(), most_int8_error);
  layer.make_easier();
  EXPECT_GT(layer.estimated_error(), most_int8_error) << "no factor makes it good enough";
}

// The query's rows carry a factor of 1/8, and each output has a scale of its own.
TEST(Int8Error, CountsEachOutputAlikeHoweverSmall) {
  Layer layer(equal_spread(layer_inputs));
  const float before = layer.estimated_error();
  for (int k = 0; k < layer_inputs; ++k) layer.weight.row(0)[k] *= 1000;
  EXPECT_NEAR(layer.estimated_error(), before, 1e-5);
}

TEST(Int8Error, OfALayerWithoutOutputsThatVaryIsNothing) {
  EXPECT_EQ(int8_error(equal_spread(2), std::vector<float>{0, 0, 0, 0}), 0);
}

TEST(ColumnFactors, MakeAnOutlierAmongTheInputsOneOfMany) {
  Layer layer(with_outliers());
  // The weights of a large input are small: its products are as large as others'.
  for (int n = 0; n < layer_outputs; ++n) {
    layer.weight.row(n)[7] /= 40;
    layer.weight.row(n)[9] /= 40;
  }
  const float before = layer.estimated_error();
  layer.make_easier();
  EXPECT_GT(before, most_int8_error);
  EXPECT_LT(layer.estimated_error(), before / 5);
}

// An outlier is an input times a number whose column is divided by it.
TEST(ColumnFactors, UndoWhatABiggerInputWithASmallerColumnIs) {
  Layer plain(equal_spread(layer_inputs));
  Layer scaled = plain;
  scaled.inputs.deviation[3] *= 30;
  for (int n = 0; n < layer_outputs; ++n) scaled.weight.row(n)[3] /= 30;
  plain.make_easier();
  scaled.make_easier();
  for (std::size_t k = 0; k < plain.weight.data.size(); ++k) {
    ASSERT_NEAR(scaled.weight.data[k], plain.weight.data[k], 1e-5);
  }
  EXPECT_NEAR(scaled.inputs.deviation[3], plain.inputs.deviation[3], 1e-5);
}

TEST(ColumnFactors, ProductsStayWhatTheyWere) {
  const Layer before(with_outliers());
  Layer after = before;
  after.make_easier();
  for (std::size_t k = 0; k < layer_inputs; ++k) {
    EXPECT_NEAR(after.inputs.mean[k] * after.weight.data[k],
                before.inputs.mean[k] * before.weight.data[k], 1e-4);
  }
}

TEST(ColumnFactors, AreNeverZero) {
  const InputSpread nothing{{0, 0}, {0, 0}};
  for (const float factor : column_factors(nothing, std::vector<float>{0, 1, 0, 1})) {
    EXPECT_GT(factor, 0);
    EXPECT_TRUE(std::isfinite(factor));
  }
}

}  // namespace
}  // namespace engine::cpu
