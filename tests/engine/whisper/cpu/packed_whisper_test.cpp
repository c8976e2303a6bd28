#include "engine/whisper/cpu/packed_whisper.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "engine/kernels/aligned_vector.h"
#include "engine/whisper/cpu/block_writer.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"
#include "tests/engine/whisper/cpu/unpacked.h"

namespace engine::cpu {
namespace {

class PackedWhisperTest : public testing::Test {
 protected:
  float number(const std::string& name, int row, int column) const {
    return plain_.tensor(name)[static_cast<std::size_t>(row * n + column)];
  }
  // Expects that the rows of the matrix from `first` on are the layer's, times `factor`.
  template <class Matrix>
  void expect_layer(const Matrix& matrix, int first, const std::string& layer, float factor = 1) {
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) {
        ASSERT_NEAR(weight_of(matrix, first + row, column),
                    factor * number(layer + ".weight", row, column), 0.004)
            << layer << ' ' << row << ' ' << column;
      }
    }
  }

  // Expects that a norm times the rows behind it from `first` on is that product in the model.
  void expect_behind(const kernels::LayerNormWeights& norm, const std::string& norm_name,
                     const Matrix& matrix, int first, const std::string& layer, float factor = 1) {
    for (int column = 0; column < n; ++column) {
      const float in_columns = number(norm_name + ".weight", 0, column) / norm.weight[column];
      ASSERT_NEAR(norm.bias[column] * in_columns, number(norm_name + ".bias", 0, column), 1e-5);
      for (int row = 0; row < n; ++row) {
        ASSERT_NEAR(weight_of(matrix, first + row, column) / in_columns,
                    factor * number(layer + ".weight", row, column), 0.004)
            << layer << ' ' << row << ' ' << column;
      }
    }
  }

  static constexpr int n = 128;
  PlainWhisper plain_{};
  PackedWhisper packed_ = pack_whisper(*plain_.weights(), MatrixType::int8);
};

TEST_F(PackedWhisperTest, EveryLayerIsInItsPlace) {
  const ModelDims d = PlainWhisper::dims();
  ASSERT_EQ(packed_.encoder.size(), static_cast<std::size_t>(d.n_audio_layer));
  ASSERT_EQ(packed_.decoder.size(), static_cast<std::size_t>(d.n_text_layer));
  expect_layer(packed_.encoder[0].attention.out, 0, "encoder.blocks.0.attn.out");
  expect_behind(packed_.encoder[1].attention.norm, "encoder.blocks.1.attn_ln",
                packed_.encoder[1].attention.qkv, n, "encoder.blocks.1.attn.key");
  expect_behind(packed_.encoder[1].attention.norm, "encoder.blocks.1.attn_ln",
                packed_.encoder[1].attention.qkv, 2 * n, "encoder.blocks.1.attn.value");
  expect_behind(packed_.decoder[1].mlp.norm, "decoder.blocks.1.mlp_ln", packed_.decoder[1].mlp.fc1,
                0, "decoder.blocks.1.mlp.0");
  expect_layer(packed_.decoder[1].attention.out, 0, "decoder.blocks.1.attn.out");
  expect_layer(packed_.decoder[0].cross.key_value, 0, "decoder.blocks.0.cross_attn.key");
  expect_layer(packed_.decoder[0].cross.key_value, n, "decoder.blocks.0.cross_attn.value");
  expect_layer(packed_.decoder[1].cross.out, 0, "decoder.blocks.1.cross_attn.out");
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(packed_.ln_post.weight[i], number("encoder.ln_post.weight", 0, i));
    EXPECT_EQ(packed_.text_positions[n + i], number("decoder.positional_embedding", 1, i));
    EXPECT_EQ(packed_.audio_positions[n + i], number("encoder.positional_embedding", 1, i));
  }
}

TEST_F(PackedWhisperTest, QueriesCarryTheScaleOfTheirHeads) {
  expect_layer(packed_.encoder[0].attention.qkv, 0, "encoder.blocks.0.attn.query", 0.125F);
  expect_behind(packed_.decoder[1].attention.norm, "decoder.blocks.1.attn_ln",
                packed_.decoder[1].attention.qkv, 0, "decoder.blocks.1.attn.query", 0.125F);
  expect_behind(packed_.decoder[1].cross.norm, "decoder.blocks.1.cross_attn_ln",
                packed_.decoder[1].cross.query, 0, "decoder.blocks.1.cross_attn.query", 0.125F);
  EXPECT_FLOAT_EQ(bias_of(packed_.decoder[0].cross.query, 5),
                  0.125F * number("decoder.blocks.0.cross_attn.query.bias", 0, 5));
}

TEST_F(PackedWhisperTest, KeysHaveNoBias) {
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(bias_of(packed_.encoder[0].attention.qkv, n + i), 0);
    EXPECT_EQ(bias_of(packed_.decoder[0].cross.key_value, i), 0);
  }
}

TEST_F(PackedWhisperTest, ABlockIsReadAgainWhereverItLies) {
  const ModelDims d = PlainWhisper::dims();
  const std::size_t bytes = packed_size(*plain_.weights(), MatrixType::int8);
  EXPECT_EQ(bytes % BlockWriter::alignment, 0U);
  kernels::AlignedVector<std::byte> copy(bytes);
  std::memcpy(copy.data(), packed_.owner.get(), bytes);
  const PackedWhisper found = view_packed(copy.data(), d, MatrixType::int8);
  EXPECT_EQ(found.owner, nullptr);
  const auto place = [](const void* part, const void* block) {
    return static_cast<const std::byte*>(part) - static_cast<const std::byte*>(block);
  };
  EXPECT_EQ(place(found.preselection.mean, copy.data()),
            place(packed_.preselection.mean, packed_.owner.get()));
  EXPECT_EQ(weight_of(found.to_logits, 299, 5), weight_of(packed_.to_logits, 299, 5));
  EXPECT_EQ(found.decoder.size(), packed_.decoder.size());
}

TEST_F(PackedWhisperTest, TwoPacksOfOneModelAreTheSameBytes) {
  const PackedWhisper again = pack_whisper(*plain_.weights(), MatrixType::int8);
  EXPECT_EQ(std::memcmp(place_of(again.to_logits), place_of(packed_.to_logits),
                        static_cast<std::size_t>(outputs(packed_.to_logits) * n)),
            0);
  EXPECT_EQ(std::memcmp(again.ln.weight, packed_.ln.weight, n * sizeof(float)), 0);
}

TEST_F(PackedWhisperTest, InInt8TheDecodersWideInputsHaveScalesInParts) {
  EXPECT_EQ(packed_.encoder[0].mlp.fc2.size(), 1U);
  const std::vector<Matrix>& parts = packed_.decoder[1].mlp.fc2;
  ASSERT_EQ(parts.size(), 4U);
  const auto& weight = plain_.tensor("decoder.blocks.1.mlp.2.weight");
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < 4 * n; ++column) {
      ASSERT_NEAR(weight_of(parts[static_cast<std::size_t>(column / n)], row, column % n),
                  weight[static_cast<std::size_t>(row * 4 * n + column)], 0.004);
    }
    EXPECT_EQ(bias_of(parts[0], row), number("decoder.blocks.1.mlp.2.bias", 0, row));
    EXPECT_EQ(bias_of(parts[3], row), 0);
  }
  const PackedWhisper bfloat16 = pack_whisper(*plain_.weights(), MatrixType::bfloat16);
  EXPECT_EQ(bfloat16.decoder[1].mlp.fc2.size(), 1U);
}

// A number that is far larger than the others of its row leaves them no steps.
TEST_F(PackedWhisperTest, ALayerThatInt8IsTooCoarseForStaysInBfloat16) {
  const std::size_t bytes_before = packed_size(*plain_.weights(), MatrixType::int8);
  plain_.tensor("decoder.blocks.0.mlp_ln.bias")[5] = 1000;
  const PackedWhisper packed = pack_whisper(*plain_.weights(), MatrixType::int8);
  EXPECT_TRUE(std::holds_alternative<kernels::Bfloat16Matrix>(packed.decoder[0].mlp.fc1));
  EXPECT_TRUE(std::holds_alternative<kernels::Int8Matrix>(packed.decoder[1].mlp.fc1));
  EXPECT_TRUE(std::holds_alternative<kernels::Int8Matrix>(packed.decoder[0].attention.qkv));
  EXPECT_GT(packed_size(*plain_.weights(), MatrixType::int8), bytes_before);
}

TEST_F(PackedWhisperTest, InInt8TheFirstBlocksAttentionStaysInBfloat16) {
  EXPECT_TRUE(std::holds_alternative<kernels::Bfloat16Matrix>(packed_.encoder[0].attention.qkv));
  EXPECT_TRUE(std::holds_alternative<kernels::Bfloat16Matrix>(packed_.encoder[0].attention.out));
  EXPECT_TRUE(std::holds_alternative<kernels::Int8Matrix>(packed_.encoder[1].attention.qkv));
  EXPECT_TRUE(std::holds_alternative<kernels::Int8Matrix>(packed_.encoder[0].mlp.fc1));
}

// All numbers of this model are in float16, too.
TEST_F(PackedWhisperTest, InFloat32AndFloat16NothingIsChanged) {
  for (const MatrixType type : {MatrixType::float32, MatrixType::float16}) {
    const PackedWhisper exact = pack_whisper(*plain_.weights(), type);
    EXPECT_EQ(weight_of(exact.encoder[0].attention.out, 7, 9),
              number("encoder.blocks.0.attn.out.weight", 7, 9));
    EXPECT_EQ(weight_of(exact.decoder[1].cross.query, 7, 9),
              0.125F * number("decoder.blocks.1.cross_attn.query.weight", 7, 9));
    EXPECT_EQ(weight_of(exact.decoder[1].attention.qkv, n + 7, 9),
              number("decoder.blocks.1.attn.key.weight", 7, 9));
    EXPECT_EQ(weight_of(exact.to_logits, 299, 5), number("decoder.token_embedding.weight", 299, 5));
    EXPECT_EQ(exact.ln.weight[3], number("decoder.ln.weight", 0, 3));
    EXPECT_EQ(exact.preselection.weight, nullptr);
  }
}

TEST_F(PackedWhisperTest, TheExactTypeIsFloat16WhereAllLayersOfTheFileAre) {
  WeightsContent content;
  const auto exact = [&] { return exact_type({std::vector<MappedFile>{}, content}); };
  content.tensors["first.weight"] = {DType::f16, {8, 8}, {}, {}};
  content.tensors["norm.weight"] = {DType::f32, {8}, {}, {}};
  content.tensors["positional_embedding"] = {DType::f32, {8, 8}, {}, {}};
  EXPECT_EQ(exact(), MatrixType::float16);
  for (const DType other : {DType::f32, DType::bf16, DType::i8, DType::q8_0}) {
    content.tensors["second.weight"] = {other, {8, 8}, {}, {}};
    EXPECT_EQ(exact(), MatrixType::float32) << name(other);
  }
}

}  // namespace
}  // namespace engine::cpu
