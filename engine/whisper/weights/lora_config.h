#pragma once

#include <filesystem>
#include <string>

namespace engine {

// The content of PEFT's adapter_config.json, as far as merging a LoRA adapter needs it.
struct LoraConfig {
  std::string base{};    // the model that it was trained on, a name on the hub or a path, as text
                         // fit for a message; may be empty
  std::string writer{};  // "PEFT 0.21.2"; empty: not stated
  float alpha = 8;       // a change is scaled by it over the rank
  bool divides_by_root = false;  // or over the rank's root
  std::string unknown{};         // what it has and is not merged here; empty: nothing
};

// Reads the file in `folder`, which may be missing. Throws engine::Exception (damaged_model) for an
// invalid file.
LoraConfig read_lora_config(const std::filesystem::path& folder);

}  // namespace engine
