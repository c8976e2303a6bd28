#include "engine/whisper/model/size_of.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

constexpr ModelDims base_dims{80, 1500, 512, 8, 6, 51865, 448, 512, 8, 6};
constexpr ModelDims large_v3_dims{128, 1500, 1280, 20, 32, 51866, 448, 1280, 20, 32};
constexpr ModelDims turbo_dims{128, 1500, 1280, 20, 32, 51866, 448, 1280, 20, 4};

// The figures were computed by hand; norms and biases are less than a thousandth.
TEST(SizeOf, CountsTheParametersOfWhispersModels) {
  EXPECT_EQ(size_of(base_dims).parameters, 71'733'760);
  EXPECT_EQ(size_of(large_v3_dims).parameters, 1'540'375'040);
  EXPECT_EQ(size_of(turbo_dims).parameters, 806'371'840);
}

TEST(SizeOf, TakesLayersAndPositionsFromTheirOwnSides) {
  const platform::ModelSize size = size_of(turbo_dims);
  EXPECT_EQ(size.d_model, 1280);
  EXPECT_EQ(size.heads, 20);
  EXPECT_EQ(size.encoder_layers, 32);
  EXPECT_EQ(size.decoder_layers, 4);
  EXPECT_EQ(size.encoder_positions, 1500);
  EXPECT_EQ(size.decoder_positions, 448);
  EXPECT_EQ(size.vocabulary, 51866);
}

}  // namespace
}  // namespace engine
