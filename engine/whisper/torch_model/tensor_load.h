#pragma once

#include <ATen/ATen.h>

#include <string>

#include "engine/whisper/weights/weights.h"

namespace engine {

// Loads the tensor `name` as float32, in memory of its own. The name must be in the table, which
// read_weights has checked.
at::Tensor load_float32(const Weights& weights, const std::string& name);

// Loads the tensor `name` in the file's own type where ATen has it (float16, bfloat16, float32),
// without a copy where it lies aligned; else as load_float32. A view ends with `weights`.
at::Tensor load_view(const Weights& weights, const std::string& name);

}  // namespace engine
