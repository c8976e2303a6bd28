#include <gtest/gtest.h>

#include "engine/whisper/weights/readers.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::DType;
using engine::Errc;
using engine::MlxConfig;
using engine::Quantization;

// A table of one quantised layer: 2 rows of 64 numbers of 4 bits in groups of 32.
struct Layer {
  std::string words = std::string(64, '\x21');
  std::string factors = std::string(8, '\0');
  engine::TensorTable table() const {
    return {{"decoder.blocks.0.mlp1.weight", {DType::u32, {2, 8}, toy::bytes(words), {}}},
            {"decoder.blocks.0.mlp1.scales", {DType::f16, {2, 2}, toy::bytes(factors), {}}},
            {"decoder.blocks.0.mlp1.biases", {DType::f16, {2, 2}, toy::bytes(factors), {}}}};
  }
};

MlxConfig quantized(int bits, int group, const std::string& mode = "affine") {
  return {Quantization{bits, group, mode}, 3};
}

engine::Error mlx_error(engine::TensorTable table, const MlxConfig& config) {
  return toy::error_of([&] { engine::parse_mlx(std::move(table), config); });
}

TEST(MlxGroups, TakeTheirNumbersFromTheConfig) {
  const Layer layer;
  const auto model = engine::parse_mlx(layer.table(), quantized(4, 32));
  const engine::WeightTensor& tensor = model.tensors.at("decoder.blocks.0.mlp.0.weight");
  EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 64}));
  EXPECT_EQ(tensor.dtype, DType::u4);
  EXPECT_EQ(model.tensors.size(), 1u);
}

TEST(MlxGroups, AreRefusedWithoutAConfigAndInOtherModes) {
  const Layer layer;
  EXPECT_NE(mlx_error(layer.table(), {}).message.find("no config.json"), std::string::npos);
  EXPECT_NE(mlx_error(layer.table(), quantized(4, 32, "mxfp4")).message.find("the mode 'mxfp4'"),
            std::string::npos);
  auto without = layer.table();
  without.erase("decoder.blocks.0.mlp1.biases");
  EXPECT_EQ(mlx_error(without, quantized(4, 32)).code, Errc::refused_model);
}

TEST(MlxGroups, AreDamagedWhereTheConfigDoesNotFit) {
  const Layer layer;
  for (const auto& [bits, group] : {std::pair{8, 32}, {4, 64}, {4, 33}, {3, 32}, {7, 32}}) {
    EXPECT_NE(mlx_error(layer.table(), quantized(bits, group)).message, "") << bits << " " << group;
  }
  auto halves = layer.table();
  halves["decoder.blocks.0.mlp1.biases"].dtype = DType::bf16;
  EXPECT_EQ(mlx_error(halves, quantized(4, 32)).code, Errc::damaged_model);
  auto floats = layer.table();
  floats["decoder.blocks.0.mlp1.weight"].dtype = DType::f32;
  EXPECT_EQ(mlx_error(floats, quantized(4, 32)).code, Errc::damaged_model);
  auto huge = layer.table();
  huge["decoder.blocks.0.mlp1.weight"].shape = {0, INT64_MAX};
  EXPECT_EQ(mlx_error(huge, quantized(4, 32)).code, Errc::damaged_model);
}

TEST(MlxHeads, AreAListOfPairs) {
  std::string pairs;
  for (const std::int32_t number : {0, 1, 2, 3}) toy::put(pairs, number);
  const auto heads = [&](bool fortran) {
    engine::WeightTensor tensor{DType::i32, {2, 2}, toy::bytes(pairs), {}};
    tensor.fortran_order = fortran;
    return *engine::parse_mlx({{"alignment_heads", tensor}}, {}).alignment_heads;
  };
  EXPECT_EQ(heads(false), (std::vector<std::pair<int, int>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(heads(true), (std::vector<std::pair<int, int>>{{0, 2}, {1, 3}}));
  const engine::WeightTensor single{DType::i32, {4}, toy::bytes(pairs), {}};
  EXPECT_NE(mlx_error({{"alignment_heads", single}}, {}).message.find("no list of pairs"),
            std::string::npos);
}

}  // namespace
