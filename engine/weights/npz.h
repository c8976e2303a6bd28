#pragma once

#include <span>

#include "engine/weights/tensor.h"

namespace engine {

// Returns whether a zip archive begins with an array of NumPy, which no other archive here does.
bool looks_like_npz(std::span<const std::byte> file);

// Returns the arrays of NumPy's .npz by their names; those of floats are in C order. Throws
// engine::Exception (damaged_model, refused_model).
TensorTable parse_npz(std::span<const std::byte> file);

}  // namespace engine
