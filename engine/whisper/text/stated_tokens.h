#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/error.h"

namespace engine {

// The ids of special tokens and languages that Hugging Face's generation_config.json states.
struct StatedTokens {
  std::map<std::string, int> ids{};      // by spelling: "<|en|>", "<|transcribe|>"
  std::vector<std::string> languages{};  // the spellings of lang_to_id
  std::optional<bool> is_multilingual{};
};

// Reads the file in a model's folder; where there is none, nothing is stated. Fails with
// damaged_model where it is no JSON object.
Result<StatedTokens> read_stated_tokens(const std::filesystem::path& folder);

}  // namespace engine
