#pragma once

#include <span>

#include "engine/whisper/weights/weights.h"

namespace engine {

inline constexpr const char* known_formats =
    "Known are CTranslate2 model.bin, Hugging Face safetensors, OpenAI .pt, whisper.cpp ggml .bin, "
    "GGUF and MLX weights.npz.";

// Returns the format that the first bytes of a file show. Throws engine::Exception
// (unknown_format, refused_model), which says what the file is instead, where that is known.
WeightFormat detect_format(std::span<const std::byte> file);

// Returns whether the file is the JSON text that names the shards of a model.
bool is_shard_index(std::span<const std::byte> file);

}  // namespace engine
