#include <filesystem>
#include <fstream>

#include "tests/engine/whisper/weights/toy_model.h"

namespace {

// An adapter of rank 1 for one layer of the model below: a line with its config, then its file.
std::string adapter() {
  const std::string layer = "base_model.model.model.decoder.layers.0.self_attn.q_proj.lora_";
  return R"({"peft_type": "LORA", "lora_alpha": 4, "use_rslora": true, "bias": "none"})" +
         std::string("\n") +
         toy::safetensors_file(
             {{layer + "A.weight", {{1, 2}, {1, 0.5F}}}, {layer + "B.weight", {{2, 1}, {1, 2}}}});
}

}  // namespace

// Writes one good file of each format into FOLDER/<format>/, to start a fuzzer from.
int main(int count, char** arguments) {
  if (count != 2) return 2;
  // The model is as small as possible, so that a mutation hits the structure more often than the
  // numbers.
  const engine::ModelDims dims{1, 1, 2, 1, 1, 1, 1, 2, 1, 1};
  const auto tensors = toy::tensors(dims);
  const std::pair<const char*, std::string> files[]{
      {"adapter", adapter()},
      {"ctranslate2", toy::ctranslate2_file(toy::quantised(
                          toy::ctranslate2_variables(tensors, dims), engine::DType::i8))},
      {"safetensors", toy::safetensors_file(toy::with_hugging_face_names(tensors))},
      {"ggml", toy::ggml_file(tensors, dims)},
      {"gguf", toy::gguf_file({toy::gguf_texts("tokenizer.ggml.tokens", {"a", "b"})}, tensors)},
      {"mlx", toy::mlx_file(toy::tensors({2, 1, 32, 1, 1, 1, 1, 32, 1, 1}))},
      {"torch_zip", toy::torch_zip_file(tensors, dims)},
      {"torch_legacy", toy::torch_legacy_file(tensors, dims)},
      {"pickle", toy::checkpoint_pickle(tensors, dims, false)},
      {"index", R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})"}};
  for (const auto& [format, content] : files) {
    const auto folder = std::filesystem::path(arguments[1]) / format;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "seed", std::ios::binary) << content;
  }
}
