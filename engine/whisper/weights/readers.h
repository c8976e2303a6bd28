#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/weights/tensor.h"
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
};

ParsedModel parse_ctranslate2(std::span<const std::byte> file);
ParsedModel parse_ggml(std::span<const std::byte> file);
ParsedModel parse_torch_zip(std::span<const std::byte> file);
ParsedModel parse_torch_legacy(std::span<const std::byte> file);

}  // namespace engine
