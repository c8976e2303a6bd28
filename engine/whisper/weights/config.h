#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/weights/dims.h"

namespace engine {

// Facts that the JSON files beside a model hold and its tensors do not.
struct Config {
  std::optional<HeadCounts> heads;
  std::optional<std::vector<std::pair<int, int>>> alignment_heads;  // (decoder layer, head)
  std::string quantised_by;  // the library whose form the weights have; empty: plain numbers
};

// Reads config.json and generation_config.json in `folder`; either may be missing. Throws
// engine::Exception (damaged_model) for an invalid file.
Config read_config(const std::filesystem::path& folder);

}  // namespace engine
