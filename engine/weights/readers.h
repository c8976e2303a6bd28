#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/weights/dims.h"
#include "engine/weights/tensor.h"

// One function per file format, over the bytes of a whole file. They throw engine::Exception, and
// the spans they return point into what they were given.
namespace engine {

// What a file says, in openai/whisper's names but not yet checked for completeness.
struct ParsedModel {
  TensorTable tensors;
  std::optional<HeadCounts> heads;
  std::optional<ModelDims> declared_dims;
  std::optional<std::vector<std::string>> token_bytes;
};

ParsedModel parse_ctranslate2(std::span<const std::byte> file);
ParsedModel parse_ggml(std::span<const std::byte> file);
ParsedModel parse_torch_zip(std::span<const std::byte> file);
ParsedModel parse_torch_legacy(std::span<const std::byte> file);
// Of one shard or of a whole model; names are translated from Hugging Face's.
ParsedModel parse_safetensors(std::span<const std::byte> file);

// The files that a model.safetensors.index.json names, each once: plain names, never paths.
std::vector<std::string> parse_shard_index(std::string_view json);

}  // namespace engine
