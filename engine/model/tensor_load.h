#pragma once

#include <ATen/ATen.h>

#include <string>

#include "engine/weights/weights.h"

namespace engine {

// The tensor `name` as float32, in memory of its own. The name must be in the table, which
// read_weights has checked.
at::Tensor load_float32(const Weights& weights, const std::string& name);

// The tensor `name` without a copy where its kind allows (float16, bfloat16, float32), else as
// load_float32. A view ends with `weights`.
at::Tensor load_view(const Weights& weights, const std::string& name);

}  // namespace engine
