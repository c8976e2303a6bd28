#pragma once

#include "engine/weights/tensor.h"

namespace engine {

// A table whose names are those of transformers' Whisper classes, with openai/whisper's names; one
// that has openai's names already comes back as it is. proj_out, the token embedding again, is
// dropped. Throws engine::Exception for a name that is unknown, and for an untied proj_out.
TensorTable with_openai_names(TensorTable tensors);

}  // namespace engine
