#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/weights/tensor.h"
#include "engine/whisper/weights/config.h"
#include "engine/whisper/weights/dims.h"

// One function for each file format that knows Whisper, over the bytes of a whole file. They throw
// engine::Exception, and the spans that they return point into what they were given.
namespace engine {

// The most dimensions that a tensor of these files may have; Whisper's have three at most.
inline constexpr int max_dimensions = 4;

// The content of a file, in openai/whisper's names but not yet checked for completeness.
struct ParsedModel {
  TensorTable tensors{};
  std::optional<HeadCounts> heads{};
  std::optional<ModelDims> declared_dims{};
  std::optional<std::vector<std::string>> token_bytes{};
  std::optional<std::vector<std::pair<int, int>>> alignment_heads{};
  std::vector<std::vector<std::byte>> made{};  // the bytes of tensors that the file leaves out
  std::string writer{};  // the program that wrote the file, as the file shows it
};

ParsedModel parse_ctranslate2(std::span<const std::byte> file);
ParsedModel parse_ggml(std::span<const std::byte> file);
ParsedModel parse_torch_zip(std::span<const std::byte> file);
ParsedModel parse_torch_legacy(std::span<const std::byte> file);
ParsedModel parse_gguf_model(std::span<const std::byte> file);

// Returns whether the tensors have the names of MLX's Whisper.
bool is_mlx(const TensorTable& tensors);
// Reads the tensors of MLX's weights.npz or weights.safetensors, with what the config.json beside
// them says.
ParsedModel parse_mlx(TensorTable tensors, const MlxConfig& config);

}  // namespace engine
