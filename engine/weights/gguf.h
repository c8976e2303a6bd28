#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/weights/tensor.h"

namespace engine {

// The content of a GGUF file, as views of its bytes. Values of other kinds than these are skipped.
struct GgufFile {
  TensorTable tensors{};
  std::map<std::string, std::uint64_t> numbers{};  // whole numbers from zero on, and booleans
  std::map<std::string, std::string_view> texts{};
  std::map<std::string, std::vector<std::string_view>> lists{};  // lists of texts
};

// Reads versions 2 and 3. Throws engine::Exception (damaged_model, refused_model).
GgufFile parse_gguf(std::span<const std::byte> file);

}  // namespace engine
