#include <gtest/gtest.h>

#include "engine/weights/mapped_file.h"
#include "engine/whisper/weights/readers.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;
using toy::Ct2Variable;

engine::Error ctranslate2_error(const std::string& file) {
  return toy::error_of([&] { engine::parse_ctranslate2(toy::bytes(file)); });
}

engine::Error ctranslate2_error(const std::vector<Ct2Variable>& variables) {
  return ctranslate2_error(toy::ctranslate2_file(variables));
}

Ct2Variable& find(std::vector<Ct2Variable>& variables, const std::string& name) {
  for (auto& variable : variables) {
    if (variable.name == name) return variable;
  }
  throw std::logic_error(name);
}

TEST(CTranslate2, GivesEveryTensorUnderItsOpenaiName) {
  const auto toy_tensors = toy::tensors();
  const std::string file = toy::ctranslate2_file(toy::ctranslate2_variables(toy_tensors));
  const auto model = engine::parse_ctranslate2(toy::bytes(file));
  toy::expect_same(model.tensors, toy_tensors);
  ASSERT_TRUE(model.heads);
  EXPECT_EQ(model.heads->audio, 2);
}

TEST(CTranslate2, ReadsAFileWhoseEmbeddingIsQuantisedAndWhoseAliasHasNoScales) {
  for (const auto& [dtype, tolerance] :
       {std::pair{engine::DType::i8, 2 / 254.0f}, {engine::DType::i16, 2 / 2048.0f}}) {
    const auto toy_tensors = toy::tensors();
    const auto variables = toy::quantised(toy::ctranslate2_variables(toy_tensors), dtype);
    const std::string file = toy::ctranslate2_file(variables);
    toy::expect_same(engine::parse_ctranslate2(toy::bytes(file)).tensors, toy_tensors, tolerance);
  }
}

// Written by CTranslate2 itself: see data/make_ctranslate2_fixtures.py. Its converter makes aliases
// of whatever is equal, a bias of one layer and that of another included.
TEST(CTranslate2, ReadsWhatItsConverterWrites) {
  for (const auto& [name, tolerance] : {std::pair{"toy-int8.bin", 2 / 254.0f},
                                        {"toy-int8-float16.bin", 2 / 254.0f},
                                        {"toy-int16.bin", 2 / 2048.0f}}) {
    const engine::MappedFile file(std::string(SCRIBED_SOURCE_DIR) +
                                  "/tests/engine/whisper/weights/data/" + name);
    const auto model = engine::parse_ctranslate2(file.bytes());
    toy::expect_same(model.tensors, toy::tensors({2, 3, 4, 2, 1, 5, 2, 4, 2, 1}), tolerance);
    ASSERT_TRUE(model.heads) << name;
    EXPECT_EQ(model.heads->audio, 2) << name;
  }
}

TEST(CTranslate2, RefusesAProjectionWithOtherScalesThanTheEmbedding) {
  auto variables = toy::quantised(toy::ctranslate2_variables(toy::tensors()), engine::DType::i8);
  Ct2Variable scale = find(variables, "decoder/embeddings/weight_scale");
  scale.name = "decoder/projection/weight_scale";
  scale.data[1] ^= 1;
  variables.push_back(scale);
  EXPECT_EQ(ctranslate2_error(variables).code, Errc::refused_model);
}

TEST(CTranslate2, DequantisesEachPartOfAFusedLayerWithItsOwnScales) {
  auto variables = toy::ctranslate2_variables(toy::tensors());
  const std::string name = "encoder/layer_0/self_attention/linear_0/weight";
  Ct2Variable& fused = find(variables, name);
  fused.type = 1;
  fused.data.assign(96 * 32, '\x06');
  std::string scales;
  for (int row = 0; row < 96; ++row) toy::put(scales, row < 32 ? 1.0f : row < 64 ? 2.0f : 3.0f);
  variables.push_back({name + "_scale", {96}, 0, scales});
  const std::string file = toy::ctranslate2_file(variables);
  const auto model = engine::parse_ctranslate2(toy::bytes(file));
  for (const auto& [part, value] : {std::pair{"query", 6.0f}, {"key", 3.0f}, {"value", 2.0f}}) {
    std::vector<float> out(32 * 32);
    to_float(model.tensors.at(std::string("encoder.blocks.0.attn.") + part + ".weight"), out);
    EXPECT_EQ(out, std::vector<float>(32 * 32, value)) << part;
  }
}

TEST(CTranslate2, RefusesOtherVersionsAndOtherModels) {
  const auto variables = toy::ctranslate2_variables(toy::tensors());
  EXPECT_EQ(ctranslate2_error(toy::ctranslate2_file(variables, 3)).code, Errc::refused_model);
  EXPECT_EQ(ctranslate2_error(toy::ctranslate2_file(variables, 7)).code, Errc::refused_model);
  const auto error = ctranslate2_error(toy::ctranslate2_file(variables, 6, "TransformerSpec"));
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_EQ(error.message, "[weights] model.bin: holds a TransformerSpec, not a WhisperSpec");
}

TEST(CTranslate2, NamesTheVariableThatIsDamaged) {
  struct Case {
    const char* what;
    std::function<void(std::vector<Ct2Variable>&)> damage;
    const char* message;
  };
  const std::string name = "encoder/conv1/weight";
  const Case cases[]{
      {"byte count", [&](auto& v) { find(v, name).data.pop_back(); },
       "encoder/conv1/weight: expected 768 bytes, got 767"},
      {"type", [&](auto& v) { find(v, name).type = 6; }, "encoder/conv1/weight: unknown type 6"},
      {"rank", [&](auto& v) { find(v, name).shape.assign(5, 1); },
       "encoder/conv1/weight: 5 dimensions"},
      {"twice", [&](auto& v) { v.push_back(find(v, name)); },
       "encoder/conv1/weight: appears twice"},
      {"no scales",
       [&](auto& v) {
         find(v, name).type = 1;
         find(v, name).data.resize(384);
       },
       "encoder/conv1/weight: has no scales"},
      {"split",
       [&](auto& v) {
         auto& fused = find(v, "encoder/layer_0/self_attention/linear_0/bias");
         fused.shape[0] = 95;
         fused.data.resize(190);
       },
       "linear_0/bias: [95] cannot be split into 3"},
      {"a bias that is a matrix",
       [&](auto& v) { find(v, "decoder/layer_0/attention/linear_1/bias").shape.push_back(1); },
       "linear_1/bias: is no bias"},
      {"a bias of too many numbers",
       [&](auto& v) {
         auto& fused = find(v, "decoder/layer_0/attention/linear_1/bias");
         fused.shape[0] = 1 << 18;
         fused.data.resize(1 << 19);
       },
       "linear_1/bias: is no bias"},
      {"alias target", [&](auto& v) { find(v, "decoder/embeddings/weight").name = "other"; },
       "decoder/projection/weight: alias of a variable that is not there"}};
  for (const Case& c : cases) {
    auto variables = toy::ctranslate2_variables(toy::tensors());
    c.damage(variables);
    const auto error = ctranslate2_error(variables);
    EXPECT_EQ(error.code, Errc::damaged_model) << c.what;
    EXPECT_NE(error.message.find(c.message), std::string::npos) << c.what << ": " << error.message;
  }
}

TEST(CTranslate2, RefusesAVariableThatWhisperHasNot) {
  auto variables = toy::ctranslate2_variables(toy::tensors());
  find(variables, "encoder/conv1/weight").name = "encoder/conv9/weight";
  const auto error = ctranslate2_error(variables);
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_EQ(error.message, "[weights] encoder/conv9/weight: no such variable in Whisper");
}

TEST(CTranslate2, RefusesAKeyWithABias) {
  auto variables = toy::ctranslate2_variables(toy::tensors());
  find(variables, "decoder/layer_0/attention/linear_1/bias").data[1] = '\x3c';
  EXPECT_EQ(ctranslate2_error(variables).code, Errc::refused_model);
}

TEST(CTranslate2, TellsTruncationWhereverItHappens) {
  const std::string file = toy::ctranslate2_file(toy::ctranslate2_variables(toy::tensors()));
  for (std::size_t size = 0; size < file.size(); size += 97) {
    EXPECT_EQ(ctranslate2_error(file.substr(0, size)).code, Errc::damaged_model) << size;
  }
}

}  // namespace
