#include "engine/whisper/weights/hugging_face.h"

#include <gtest/gtest.h>

#include "engine/weights/safetensors.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;

class SafetensorsTypes : public testing::TestWithParam<engine::DType> {};

TEST_P(SafetensorsTypes, GiveTheSameTensors) {
  const auto toy_tensors = toy::tensors();
  const std::string file =
      toy::safetensors_file(toy::with_hugging_face_names(toy_tensors), GetParam());
  auto tensors = engine::parse_safetensors(toy::bytes(file));
  EXPECT_EQ(tensors.begin()->second.dtype, GetParam());
  toy::expect_same(engine::with_openai_names(std::move(tensors)), toy_tensors);
}

INSTANTIATE_TEST_SUITE_P(All, SafetensorsTypes,
                         testing::Values(engine::DType::f32, engine::DType::f16,
                                         engine::DType::bf16),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(HuggingFaceNames, AreAcceptedWithoutThePrefix) {
  toy::Tensors bare;
  const auto toy_tensors = toy::tensors();
  for (const auto& [name, tensor] : toy::with_hugging_face_names(toy_tensors)) {
    bare[name.substr(std::string("model.").size())] = tensor;
  }
  const std::string file = toy::safetensors_file(bare);
  auto tensors = engine::parse_safetensors(toy::bytes(file));
  toy::expect_same(engine::with_openai_names(std::move(tensors)), toy_tensors);
}

TEST(HuggingFaceNames, DropTheTiedProjectionAndRefuseAnUntiedOne) {
  const auto toy_tensors = toy::tensors();
  auto renamed = toy::with_hugging_face_names(toy_tensors);
  renamed["proj_out.weight"] = renamed["model.decoder.embed_tokens.weight"];
  const std::string tied = toy::safetensors_file(renamed);
  auto tensors = engine::parse_safetensors(toy::bytes(tied));
  toy::expect_same(engine::with_openai_names(std::move(tensors)), toy_tensors);

  renamed["proj_out.weight"].values[0] += 1;
  const std::string untied = toy::safetensors_file(renamed);
  EXPECT_EQ(toy::error_of([&] {
              engine::with_openai_names(engine::parse_safetensors(toy::bytes(untied)));
            }).code,
            Errc::refused_model);
}

TEST(HuggingFaceNames, NameTheTensorThatIsUnknown) {
  for (const std::string name : {"model.encoder.layers.0.adapter.weight", "lm_head.weight",
                                 "model.encoder.layers.x.fc1.weight", "model.encoder.layers.0"}) {
    engine::TensorTable table;
    table[name];
    EXPECT_EQ(toy::error_of([&] { engine::with_openai_names(table); }).message,
              "[weights] " + name + ": no such tensor in Whisper");
  }
}

}  // namespace
