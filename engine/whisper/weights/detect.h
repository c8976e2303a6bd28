#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "engine/whisper/weights/weights.h"

namespace engine {

// Returns the format that the first bytes of a file show. Throws engine::Exception
// (unknown_format), which says what the file is instead, where that is known.
WeightFormat detect_format(std::span<const std::byte> file);

// Returns whether the file is the JSON text that names the shards of a safetensors model.
bool is_shard_index(std::span<const std::byte> file);

// Returns the one file of a model folder to read: model.bin, a safetensors index or file, or the
// only file there with a model's ending. Throws engine::Exception (not_found, unknown_format).
std::filesystem::path model_file_in(const std::filesystem::path& folder);

}  // namespace engine
