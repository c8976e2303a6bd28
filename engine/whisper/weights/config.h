#pragma once

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "engine/whisper/weights/dims.h"

namespace engine {

// What the JSON files beside a model know and its tensors do not.
struct Config {
  std::optional<HeadCounts> heads;
  std::optional<std::vector<std::pair<int, int>>> alignment_heads;  // (decoder layer, head)
};

// Of config.json and generation_config.json in `folder`; either may be missing. Throws
// engine::Exception (damaged_model) for a file that is there and makes no sense.
Config read_config(const std::filesystem::path& folder);

}  // namespace engine
