#pragma once

#include <cstddef>
#include <span>

#include "engine/weights/tensor.h"

namespace engine {

// Returns the float32 tensors with which the graph of an ONNX file is initialised, by name. The
// graph itself is not read. The spans point into `file`. Throws engine::Exception (damaged_model).
TensorTable read_onnx_tensors(std::span<const std::byte> file);

}  // namespace engine
