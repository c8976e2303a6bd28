#include <gtest/gtest.h>

#include "engine/weights/mapped_file.h"
#include "engine/whisper/weights/readers.h"
#include "engine/whisper/weights/weights.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;
using engine::WeightFormat;

// Written by candle and by the package gguf themselves: see data/make_mlx_gguf.py.
engine::Result<engine::Weights> read_fixture(const std::string& name) {
  return engine::read_weights(std::string(SCRIBED_SOURCE_DIR) +
                              "/tests/engine/whisper/weights/data/" + name);
}

engine::Error gguf_model_error(const std::string& file) {
  return toy::error_of([&] { engine::parse_gguf_model(toy::bytes(file)); });
}

TEST(GgufModel, ReadsWhatTranscribeCppsConverterWrites) {
  const engine::ModelDims dims{2, 3, 4, 2, 1, 5, 2, 4, 2, 1};
  const auto weights = read_fixture("transcribe.gguf");
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->format(), WeightFormat::gguf);
  EXPECT_EQ(weights->dims(), dims);
  toy::expect_same(weights->tensors(), toy::tensors(dims));
  EXPECT_EQ(weights->token_bytes(),
            (std::vector<std::string>{"a", "\xc3\xa9\n", " the", "<|endoftext|>", "<|en|>"}));
}

// candle names no heads, and the toy model's are 16 wide; its width alone would say one of 64.
TEST(GgufModel, ReadsWhatCandleWrites) {
  const engine::MappedFile file(std::string(SCRIBED_SOURCE_DIR) +
                                "/tests/engine/whisper/weights/data/candle.gguf");
  const auto model = engine::parse_gguf_model(file.bytes());
  EXPECT_FALSE(model.token_bytes);
  EXPECT_FALSE(model.heads);
  const auto& matrix = model.tensors.at("model.decoder.layers.0.fc2.weight");
  EXPECT_EQ(matrix.dtype, engine::DType::q4_0);
  const auto expected =
      toy::tensors({2, 3, 32, 2, 1, 5, 2, 32, 2, 1}).at("decoder.blocks.0.mlp.2.weight");
  EXPECT_EQ(matrix.shape, expected.shape);
  std::vector<float> numbers(expected.values.size());
  to_float(matrix, numbers);
  // Half a step of q4_0, or a whole one at the end that its asymmetry cuts off.
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_NEAR(numbers[i], expected.values[i], 0.26) << i;
  }
}

TEST(GgufModel, RefusesOtherArchitecturesAndOtherNames) {
  const auto llama =
      gguf_model_error(toy::gguf_file({toy::gguf_text("general.architecture", "llama")}, {}));
  EXPECT_EQ(llama.code, Errc::refused_model);
  EXPECT_NE(llama.message.find("architecture 'llama'"), std::string::npos);
  const auto names = gguf_model_error(toy::gguf_file({}, {{"blk.0.attn_q.weight", {{1}, {0}}}}));
  EXPECT_NE(names.message.find("blk.0.attn_q.weight"), std::string::npos);
  EXPECT_NE(names.fix.find("ggml .bin"), std::string::npos);
  EXPECT_NE(gguf_model_error(toy::gguf_file({}, {})).message.find("no tensors"), std::string::npos);
}

TEST(GgufModel, LeavesOutAVocabularyThatIsSpelledOtherwise) {
  const auto tensors = toy::tensors();
  const std::string file =
      toy::gguf_file({toy::gguf_texts("tokenizer.ggml.tokens", {"a", "\xe2\x96\x81the"})}, tensors);
  EXPECT_FALSE(engine::parse_gguf_model(toy::bytes(file)).token_bytes);
}

TEST(GgufModel, KeepsUnknownNamesUntilTheyAreReported) {
  const std::string file = toy::gguf_file(
      {}, {{"enc.conv.0.weight", {{1}, {0}}}, {"enc.blocks.", {{1}, {0}}}, {"odd", {{1}, {0}}}});
  const auto model = engine::parse_gguf_model(toy::bytes(file));
  EXPECT_TRUE(model.tensors.contains("encoder.conv1.weight"));
  EXPECT_TRUE(model.tensors.contains("odd"));
}

}  // namespace
