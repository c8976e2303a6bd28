#include <gtest/gtest.h>

#include <cmath>

#include "engine/whisper/weights/weights.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;
using engine::WeightFormat;

// Written by MLX and NumPy themselves: see data/make_mlx_gguf.py.
std::string mlx_folder(const std::string& name) {
  return std::string(SCRIBED_SOURCE_DIR) + "/tests/engine/whisper/weights/data/" + name;
}

constexpr engine::ModelDims small{2, 3, 4, 2, 1, 5, 2, 4, 2, 1};
constexpr engine::ModelDims wide{2, 3, 32, 2, 1, 5, 2, 32, 2, 1};

// Fails the test unless all tensors but the encoder's positions have the toy model's numbers.
void expect_toy_but_positions(const engine::Weights& weights, const engine::ModelDims& dims,
                              float tolerance) {
  EXPECT_EQ(weights.format(), WeightFormat::mlx);
  EXPECT_EQ(weights.dims(), dims);
  for (const auto& [name, expected] : toy::tensors(dims)) {
    if (name == "encoder.positional_embedding") continue;
    const engine::WeightTensor& tensor = weights.tensors().at(name);
    EXPECT_EQ(tensor.shape, expected.shape) << name;
    std::vector<float> numbers(expected.values.size());
    to_float(tensor, numbers);
    const float allowed = tensor.group > 0 ? tolerance : 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_NEAR(numbers[i], expected.values[i], allowed) << name << " " << i;
    }
  }
}

TEST(Mlx, ReadsWhatItsConverterWrites) {
  for (const char* name : {"mlx-npz", "mlx-bfloat16"}) {
    const auto weights = engine::read_weights(mlx_folder(name));
    ASSERT_TRUE(weights) << weights.error().message;
    expect_toy_but_positions(*weights, small, 0);
    EXPECT_EQ(weights->alignment_heads(), (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}}))
        << name;
  }
}

// The toy model's numbers go from -2 to 2, so that a step of four bits is below 0.27. MLX moves the
// steps so that one of them meets zero, which costs the numbers at the ends up to a whole one.
TEST(Mlx, ReadsGroupsWithTheirScalesAndOffsets) {
  const auto weights = engine::read_weights(mlx_folder("mlx-quantized"));
  ASSERT_TRUE(weights) << weights.error().message;
  expect_toy_but_positions(*weights, wide, 0.27f);
  const engine::WeightTensor& matrix = weights->tensors().at("decoder.blocks.0.mlp.2.weight");
  EXPECT_EQ(matrix.dtype, engine::DType::u4);
  EXPECT_EQ(matrix.group, 32);
  std::vector<float> all(static_cast<std::size_t>(matrix.elements()));
  to_float(matrix, all);
  std::vector<float> row(128);
  to_float(engine::rows(matrix, 5, 1), row);
  EXPECT_EQ(row, std::vector<float>(all.begin() + 5 * 128, all.begin() + 6 * 128));
}

TEST(Mlx, ComputesTheEncodersPositions) {
  const auto weights = engine::read_weights(mlx_folder("mlx-npz"));
  ASSERT_TRUE(weights) << weights.error().message;
  std::vector<float> positions(12);
  to_float(weights->tensors().at("encoder.positional_embedding"), positions);
  for (int t = 0; t < 3; ++t) {
    const float* row = positions.data() + 4 * t;
    EXPECT_NEAR(row[0], std::sin(t), 1e-6);
    EXPECT_NEAR(row[1], std::sin(t / 10000.0), 1e-6);
    EXPECT_NEAR(row[2], std::cos(t), 1e-6);
    EXPECT_NEAR(row[3], std::cos(t / 10000.0), 1e-6);
  }
}

}  // namespace
