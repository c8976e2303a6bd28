#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "engine/error.h"
#include "engine/weights/tensor.h"

// Knows the kinds of model files that are whole and not read here, to say what they are and what
// to do with them, instead of calling them damaged.
namespace engine {

// Throws engine::Exception (refused_model) where the first bytes are of such a kind.
void refuse_other_kinds(std::span<const std::byte> file);

// Returns the error for a folder without a file that is read.
Error what_else_is_in(const std::filesystem::path& folder);

// Throws engine::Exception (refused_model) for the word by which a config.json names how its
// weights are quantised: "bitsandbytes", "gptq".
void refuse_quantised(const std::string& method);

// Throws engine::Exception (refused_model) for the tensors of an adapter (LoRA), which change a
// model that is not there. `folder` is where adapter_config.json may name it.
void refuse_adapter(const TensorTable& tensors, const std::filesystem::path& folder);

}  // namespace engine
