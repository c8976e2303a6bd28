#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/weights/dims.h"

namespace engine {

// How MLX quantised the layers of a model.
struct Quantization {
  int bits = 0;
  int group = 0;  // numbers of a row that share a scale
  std::string mode = "affine";
};

// The facts of config.json that parse_mlx() needs to read the tensors of a model of MLX.
struct MlxConfig {
  std::optional<Quantization> quantization;
  std::optional<int> n_audio_ctx;
};

// Facts that the JSON files beside a model hold and its tensors do not.
struct Config {
  std::optional<HeadCounts> heads;
  std::optional<std::vector<std::pair<int, int>>> alignment_heads;  // (decoder layer, head)
  std::string quantised_by;  // the library whose form the weights have; empty: plain numbers
  std::string writer;        // "transformers 4.46.0"; empty: not stated
  MlxConfig mlx;
};

// Reads config.json and generation_config.json in `folder`; either may be missing. Throws
// engine::Exception (damaged_model) for an invalid file.
Config read_config(const std::filesystem::path& folder);

}  // namespace engine
