#include "engine/whisper/weights/other_kinds.h"

#include "engine/whisper/weights/weights.h"
#include "tests/engine/whisper/weights/model_folder.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;

class OtherKinds : public toy::ModelFolder {
 protected:
  void expect_refused(const std::filesystem::path& path, const std::string& message,
                      const std::string& fix) const {
    const auto weights = engine::read_weights(path);
    ASSERT_FALSE(weights);
    EXPECT_EQ(weights.error().code, Errc::refused_model) << weights.error().message;
    EXPECT_NE(weights.error().message.find(message), std::string::npos) << weights.error().message;
    EXPECT_NE(weights.error().fix.find(fix), std::string::npos) << weights.error().fix;
    EXPECT_EQ(weights.error().fix.find("Fetch"), std::string::npos) << weights.error().fix;
  }
};

TEST_F(OtherKinds, AreKnownByTheirFirstBytes) {
  const std::string made_from = "the model that it was made from";
  expect_refused(write("a", "\x08\x08\x12\x07pytorch\x1a\x05"), "exported to ONNX", made_from);
  expect_refused(write("b", "<?xml version=\"1.0\"?>\n<net name=\"Model0\" version=\"11\">"),
                 "a model of OpenVINO", made_from);
  expect_refused(write("c", "\x89HDF\r\n\x1a\n"), "TensorFlow", "transformers 4");
  expect_refused(write("d", std::string("\x1c\0\0\0TFL3", 8)), "LiteRT", made_from);
  expect_refused(write("e", std::string(257, '\0') + "ustar" + std::string(300, '\0')), "tar",
                 "Unpack");
}

TEST_F(OtherKinds, AreNamedByTheConfigWhereTheyAreQuantised) {
  write("model.safetensors", toy::safetensors_file(toy::with_hugging_face_names(toy::tensors())));
  for (const std::string method : {"bitsandbytes", "gptq", "compressed-tensors", "torchao"}) {
    write("config.json", R"({"quantization_config": {"quant_method": ")" + method + "\"}}");
    expect_refused(folder_, "the weights are quantised by " + method,
                   method == "bitsandbytes" ? "dequantize()" : "quantised from");
  }
}

TEST_F(OtherKinds, NameTheBaseOfAnAdapter) {
  const toy::Tensor small{{2, 4}, std::vector<float>(8)};
  const std::string start = "base_model.model.model.decoder.layers.0.self_attn.q_proj.";
  write("adapter_model.safetensors", toy::safetensors_file({{start + "lora_A.weight", small},
                                                            {start + "lora_B.weight", small}}));
  expect_refused(folder_, "an adapter (LoRA) of another model", "--base");
  write("adapter_config.json", R"({"base_model_name_or_path": "openai/whisper-small"})");
  expect_refused(folder_, "an adapter (LoRA) of openai/whisper-small", "--base");
  write("adapter_config.json", R"({"base_model_name_or_path": "a\u001b[31m"})");
  expect_refused(folder_, "an adapter (LoRA) of a?[31m", "");
}

TEST_F(OtherKinds, AreModelsWithAnAdapterInside) {
  auto tensors = toy::with_hugging_face_names(toy::tensors());
  const std::string name = "model.decoder.layers.0.self_attn.q_proj.";
  tensors[name + "base_layer.weight"] = tensors[name + "weight"];
  tensors[name + "lora_A.default.weight"] = {{2, 4}, std::vector<float>(8)};
  tensors.erase(name + "weight");
  expect_refused(write("model.safetensors", toy::safetensors_file(tensors)),
                 "with the layers of an adapter (LoRA) beside its own", "merge_and_unload()");
}

TEST_F(OtherKinds, AreModelsOfOtherArchitectures) {
  auto tensors = toy::with_hugging_face_names(toy::tensors());
  tensors["wav2vec2.masked_spec_embed"] = {{4}, std::vector<float>(4)};
  expect_refused(write("model.safetensors", toy::safetensors_file(tensors)),
                 "wav2vec2.masked_spec_embed: no such tensor in Whisper", "architecture");
}

}  // namespace
