#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/error.h"
#include "engine/whisper/weights/weights.h"

// A LoRA adapter, as PEFT writes it, holds pairs of thin matrices for some linear layers of a model
// that lies elsewhere: the product of a pair, scaled, is added to the layer's weight.
namespace engine {

struct Adapter {
  std::filesystem::path file;
  std::string base;  // as its config names it: a name on the hub or a path; may be empty
};

// Returns the adapter at a file's or folder's path; nothing where a whole model or none is there.
std::optional<Adapter> find_adapter(const std::filesystem::path& file_or_folder);

// Writes the model `base` with the adapter added to it as one safetensors file. What the adapter
// changes is written as float32, the rest as it was. Memory holds one tensor at a time. Fails with
// refused_model for adapters of other kinds than LoRA on linear layers, and where it does not fit
// the base.
Result<void> merge_adapter(const Adapter& adapter, const Weights& base,
                           const std::filesystem::path& out);

}  // namespace engine
