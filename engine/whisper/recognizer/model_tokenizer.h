#pragma once

#include <filesystem>

#include "engine/error.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

// Returns the tokenizer of a model: that of its own file, or the one beside it, with what its
// generation_config.json states. Fails with not_found where there is none, with refused_model
// where tokens contradict each other.
//   folder  where the weights lie
Result<Tokenizer> tokenizer_of(const Weights& weights, const std::filesystem::path& folder);

// Says whether the vocabulary's size alone may tell which published model it is.
SizeTells size_tells(const ModelDims& dims);

}  // namespace engine
