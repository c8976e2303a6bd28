#pragma once

#include <utility>
#include <vector>

#include "engine/whisper/weights/dims.h"

namespace engine {

// Returns the (decoder layer, head) pairs whose cross-attention follows time, ascending: OpenAI's
// choice for the models it published (openai/whisper __init__.py `_ALIGNMENT_HEADS`), told apart by
// their dimensions, and all heads of the upper half of the decoder for any other.
// large-v1 and large-v2 have the same dimensions; v2, which replaced v1, is taken for both. A
// fine-tuned model gets the heads of the one it was made from. Where a model's files name their own
// heads (Weights::alignment_heads), those are better than any guess from dimensions.
std::vector<std::pair<int, int>> alignment_heads(const ModelDims& dims);

}  // namespace engine
