#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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

// The content of an adapter that fits its base.
struct AdapterContent {
  std::string writer{};  // "PEFT 0.21.2", printable text; empty: not stated
  int layers = 0;        // the number of linear layers that it changes
  int rank = 0;          // of the largest pair
  std::map<std::string, std::int64_t> numbers{};  // by the name of their type
};

// Checks by their headers that merge_adapter() can add the adapter to the base.
Result<AdapterContent> examine_adapter(const Adapter& adapter, const Weights& base);

// Writes the model `base` with the adapter added to it as one safetensors file. What the adapter
// changes is written as float32, the rest as it was. Memory holds one tensor at a time. Fails with
// refused_model for adapters of other kinds than LoRA on linear layers, and where it does not fit
// the base.
Result<void> merge_adapter(const Adapter& adapter, const Weights& base,
                           const std::filesystem::path& out);

}  // namespace engine
