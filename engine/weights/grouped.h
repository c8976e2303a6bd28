#pragma once

#include <span>

#include "engine/weights/tensor.h"

namespace engine {

// Returns the bits of each number of MLX's packed types, u2 to u8; 0 for any other type.
int packed_bits(DType dtype);

// Returns the type whose numbers have so many bits. Throws engine::Exception (refused_model),
// naming the tensor, for a width that MLX does not have.
DType packed_dtype(std::string_view tensor, int bits);

// Writes the numbers of a tensor of a packed type as float32.
void grouped_to_float(const WeightTensor& tensor, std::span<float> out);

}  // namespace engine
