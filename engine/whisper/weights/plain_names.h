#pragma once

#include "engine/weights/tensor.h"

namespace engine {

// Takes from tensors' names what a training wrapped around the model: "module." of data parallel
// training, "_orig_mod." of torch.compile, the attribute that a Lightning module keeps the model
// in. What is left are names of transformers or of openai/whisper. Throws engine::Exception
// (refused_model) where the table holds two models.
TensorTable with_plain_names(TensorTable tensors);

}  // namespace engine
