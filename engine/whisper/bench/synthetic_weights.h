#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

// Returns the models of which synthetic weights can be made, "base" and so on.
std::vector<std::string_view> synthetic_sizes();

// Returns the dimensions of OpenAI's model of this name; invalid_option for another.
Result<ModelDims> dims_of_size(std::string_view name);

// Makes a model of these dimensions without a file: small random numbers in bfloat16. They say
// nothing, but computing with them takes as long as with the real ones: logits are spread as those
// of speech, so that few tokens are near the largest. All tensors but the last layer norm's weight
// lie over each other in the memory of the largest one.
std::shared_ptr<const Weights> synthetic_weights(const ModelDims& dims);

}  // namespace engine
