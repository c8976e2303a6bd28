#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/weights/tensor.h"
#include "engine/whisper/weights/dims.h"

// A Whisper model of a few thousand numbers, and its files in every format, written by hand.
namespace toy {

struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;  // multiples of 1/64 below 2: exact in f32, f16 and bf16
};

using Tensors = std::map<std::string, Tensor>;  // under openai/whisper's names

// Two heads of 16 a layer, two encoder and one decoder layers.
engine::ModelDims dims();
Tensors tensors(const engine::ModelDims& dims = toy::dims());

// Appends numbers as they lie in memory: little-endian.
template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string encode(const std::vector<float>& values, engine::DType dtype);  // f32, f16, bf16

// CTranslate2's model.bin, with the fused layers, the alias and the settings that it has.
struct Ct2Variable {
  std::string name;
  std::vector<std::int64_t> shape;
  int type;  // CTranslate2's number
  std::string data;
};
std::vector<Ct2Variable> ctranslate2_variables(const Tensors& tensors,
                                               const engine::ModelDims& dims = toy::dims());
// The variables as the converter quantises them, which it does after it has made the aliases: each
// weight of a layer and of the embedding, with its scales beside it, and no scale for the alias.
std::vector<Ct2Variable> quantised(std::vector<Ct2Variable> variables, engine::DType dtype);
std::string ctranslate2_file(const std::vector<Ct2Variable>& variables, std::uint32_t version = 6,
                             const std::string& spec = "WhisperSpec");

std::string hugging_face_name(const std::string& openai_name);
Tensors with_hugging_face_names(const Tensors& tensors);
std::string safetensors_file(const Tensors& tensors, engine::DType dtype = engine::DType::f16);

// Vectors in f32, the rest in f16, as whisper.cpp has it.
std::string ggml_file(const Tensors& tensors, const engine::ModelDims& dims = toy::dims());

// GGUF, with all numbers as f32. A value is its key, its type and what it holds, encoded.
std::string gguf_number(const std::string& key, std::uint32_t number);
std::string gguf_text(const std::string& key, const std::string& text);
std::string gguf_texts(const std::string& key, const std::vector<std::string>& texts);
std::string gguf_file(const std::vector<std::string>& values, const Tensors& tensors,
                      std::size_t alignment = 32);

// OpenAI's dict of dims and tensors, as the pickle of a checkpoint.
std::string checkpoint_pickle(const Tensors& tensors, const engine::ModelDims& dims, bool legacy);
// The archive of a table of tensors alone, or of a dict with it under `key` beside other entries.
std::string torch_table_file(const Tensors& tensors, const std::string& key = "");
std::string torch_zip_file(const Tensors& tensors, const engine::ModelDims& dims = toy::dims());
std::string torch_legacy_file(const Tensors& tensors, const engine::ModelDims& dims = toy::dims());

struct ZipMember {
  std::string name;
  std::string data;
  std::uint16_t method = 0;
};
std::string zip_file(const std::vector<ZipMember>& members, bool zip64 = false);

// MLX's weights.npz in f16, with one layer quantised to 4 bits in groups of 32.
std::string mlx_file(const Tensors& tensors);

std::span<const std::byte> bytes(const std::string& text);

// The error that `call` throws; a test failure and an empty error where it throws none.
engine::Error error_of(const std::function<void()>& call);

// Fails the test unless every tensor of `table` has the toy model's numbers, exactly or within
// `tolerance`, as quantised ones do.
void expect_same(const engine::TensorTable& table, const Tensors& expected, float tolerance = 0);

}  // namespace toy
