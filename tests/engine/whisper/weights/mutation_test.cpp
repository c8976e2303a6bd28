#include <gtest/gtest.h>

#include <random>

#include "engine/weights/npz.h"
#include "engine/weights/safetensors.h"
#include "engine/whisper/weights/hugging_face.h"
#include "engine/whisper/weights/plain_names.h"
#include "engine/whisper/weights/readers.h"
#include "tests/engine/whisper/weights/toy_model.h"

// Damaged files must end in an engine::Exception or in a table whose every byte can be read. Under
// the address sanitizer this finds reads beyond a file; the fuzzers search further.
namespace {

using Parse = engine::ParsedModel (*)(std::span<const std::byte>);

engine::ParsedModel parse_safetensors(std::span<const std::byte> file) {
  return {.tensors = engine::parse_safetensors(file)};
}

// As read_weights() does with MLX's archives, whose config.json the format does not damage.
engine::ParsedModel parse_mlx_npz(std::span<const std::byte> file) {
  return engine::parse_mlx(engine::parse_npz(file), {engine::Quantization{4, 32}, 6});
}

struct Format {
  const char* name;
  Parse parse;
  std::string file;
};

Format format(const std::string& name) {
  const auto t = toy::tensors();
  if (name == "ctranslate2") {
    return {"ctranslate2", engine::parse_ctranslate2,
            toy::ctranslate2_file(toy::ctranslate2_variables(t))};
  }
  if (name == "ctranslate2_int8") {
    return {
        "ctranslate2_int8", engine::parse_ctranslate2,
        toy::ctranslate2_file(toy::quantised(toy::ctranslate2_variables(t), engine::DType::i8))};
  }
  if (name == "safetensors") {
    return {"safetensors", parse_safetensors,
            toy::safetensors_file(toy::with_hugging_face_names(t))};
  }
  if (name == "ggml") return {"ggml", engine::parse_ggml, toy::ggml_file(t)};
  if (name == "gguf") {
    return {"gguf", engine::parse_gguf_model,
            toy::gguf_file({toy::gguf_texts("tokenizer.ggml.tokens", {"a", "b"})}, t)};
  }
  if (name == "mlx") return {"mlx", parse_mlx_npz, toy::mlx_file(t)};
  if (name == "torch_zip") {
    return {"torch_zip", engine::parse_torch_zip, toy::torch_zip_file(t)};
  }
  return {"torch_legacy", engine::parse_torch_legacy, toy::torch_legacy_file(t)};
}

// Copies into memory of exactly the file's size, so that a read beyond it is seen.
bool is_read(Parse parse, const std::string& file) {
  const std::vector<char> exact(file.begin(), file.end());
  try {
    auto model = parse(std::as_bytes(std::span(exact)));
    const auto tensors =
        engine::with_openai_names(engine::with_plain_names(std::move(model.tensors)));
    const auto dims = engine::derive_dims(tensors, model.heads);
    engine::validate_tensors(tensors, dims);
    for (const auto& [name, tensor] : tensors) {
      std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
      to_float(tensor, values);
    }
    return true;
  } catch (const engine::Exception&) {
    return false;
  }
}

class Mutations : public testing::TestWithParam<std::string> {};

TEST_P(Mutations, OfOneToThreeBytesNeverReachBeyondTheFile) {
  const Format f = format(GetParam());
  std::mt19937 random(7);
  int damaged = 0;
  for (int i = 0; i < 600; ++i) {
    std::string file = f.file;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      // The structure lies at the beginning and at the end; most of the rest is numbers.
      const std::size_t window = std::min<std::size_t>(file.size(), 6000);
      const std::size_t at = random() % window;
      file[random() % 2 == 0 ? at : file.size() - 1 - at] = static_cast<char>(random());
    }
    damaged += !is_read(f.parse, file);
  }
  EXPECT_GT(damaged, 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutations,
                         testing::Values("ctranslate2", "ctranslate2_int8", "safetensors", "ggml",
                                         "gguf", "mlx", "torch_zip", "torch_legacy"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '_');
                           return name;
                         });

}  // namespace
