#pragma once

#include "engine/weights/tensor.h"

namespace engine {

// Returns whether the names are openai/whisper's, as far as those of layers show it.
bool has_openai_names(const TensorTable& tensors);

// Renames the tensors of transformers' Whisper classes to openai/whisper's names; a table with
// openai's names is returned unchanged. proj_out, which is the token embedding again, is dropped.
// Throws engine::Exception for a name that is unknown, and for an untied proj_out.
TensorTable with_openai_names(TensorTable tensors);

}  // namespace engine
