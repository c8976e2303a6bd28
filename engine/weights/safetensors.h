#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/weights/tensor.h"

namespace engine {

// The tensors of a safetensors file, which is one shard or a whole model, by the names that it
// gives them. They point into `file`. Throws engine::Exception (damaged_model, refused_model).
TensorTable parse_safetensors(std::span<const std::byte> file);

// The files that a model.safetensors.index.json names, each once: plain names, never paths.
std::vector<std::string> parse_shard_index(std::string_view json);

}  // namespace engine
