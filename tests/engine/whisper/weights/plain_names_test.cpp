#include "engine/whisper/weights/plain_names.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/weights/safetensors.h"
#include "engine/whisper/weights/hugging_face.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using Rename = std::function<std::string(const std::string&)>;

toy::Tensors with_names(const toy::Tensors& tensors, const Rename& rename) {
  toy::Tensors renamed;
  for (const auto& [name, tensor] : tensors) renamed[rename(name)] = tensor;
  return renamed;
}

engine::TensorTable plain(const std::string& file) {
  return engine::with_openai_names(
      engine::with_plain_names(engine::parse_safetensors(toy::bytes(file))));
}

TEST(PlainNames, LoseWhatATrainingPutsBeforeThem) {
  const auto openai = toy::tensors();
  auto hugging_face = toy::with_hugging_face_names(openai);
  hugging_face["proj_out.weight"] = hugging_face["model.decoder.embed_tokens.weight"];
  for (const std::string start :
       {"", "module.", "_orig_mod.", "model.", "model.module.", "module._orig_mod.", "asr.net."}) {
    const auto add = [&](const std::string& name) { return start + name; };
    for (const auto& tensors : {openai, hugging_face}) {
      const std::string file = toy::safetensors_file(with_names(tensors, add));
      SCOPED_TRACE(start + tensors.begin()->first);
      toy::expect_same(plain(file), openai);
    }
  }
}

TEST(PlainNames, LoseWhatWrapsAModuleWithin) {
  const auto wrap = [](std::string name) {
    const std::string layers = "encoder.layers.";
    const std::size_t at = name.find(layers);
    if (at != name.npos) name.insert(at + layers.size(), "_orig_mod.");
    return "_fsdp_wrapped_module." + name;
  };
  const std::string file =
      toy::safetensors_file(with_names(toy::with_hugging_face_names(toy::tensors()), wrap));
  toy::expect_same(plain(file), toy::tensors());
}

TEST(PlainNames, AreRefusedWhereTheyAreOfTwoModels) {
  auto both = with_names(toy::tensors(), [](const auto& name) { return "student." + name; });
  both.merge(with_names(toy::tensors(), [](const auto& name) { return "teacher." + name; }));
  const std::string file = toy::safetensors_file(both);
  const auto error = toy::error_of([&] { plain(file); });
  EXPECT_EQ(error.code, engine::Errc::refused_model);
  EXPECT_NE(error.message.find("two models: student."), std::string::npos) << error.message;
}

}  // namespace
