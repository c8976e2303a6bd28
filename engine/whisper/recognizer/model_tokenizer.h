#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

// A tokenizer, and the names of the files that define its tokens: a vocabulary, unless the weights
// carry one, and generation_config.json if it states ids.
struct ModelTokenizer {
  Tokenizer tokenizer;
  std::vector<std::string> files;
};

// Returns the tokenizer of a model: that of its own file, or the one beside it, with what its
// generation_config.json states. Fails with not_found where there is none, with refused_model
// where tokens contradict each other.
//   folder       where the weights lie
//   vocabulary   the folder of the vocabulary, if it is another one: it is lent to the model
Result<ModelTokenizer> tokenizer_of(const Weights& weights, const std::filesystem::path& folder,
                                    const std::filesystem::path& vocabulary = {});

// Says whether the vocabulary's size alone may tell which published model it is.
SizeTells size_tells(const ModelDims& dims);

}  // namespace engine
