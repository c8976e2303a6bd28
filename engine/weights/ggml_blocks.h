#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/weights/tensor.h"

// The blocks that ggml's quantised types store numbers in, along the last dimension.
namespace engine {

// The numbers that one block holds, and the bytes that it takes.
struct BlockLayout {
  std::int64_t numbers = 1;
  std::size_t bytes = 1;
};

// Returns the layout of a quantised type of ggml; one of no bytes for any other type.
BlockLayout ggml_block(DType dtype);

// Writes the numbers of one block as float32. `dtype` is a quantised type of ggml.
void ggml_block_to_float(DType dtype, const std::byte* block, float* out);

// Returns the type of ggml's number, which its .bin files and GGUF share. Throws engine::Exception
// (refused_model), naming the tensor, for one that is not read.
DType ggml_dtype(std::string_view tensor, std::uint32_t number);

}  // namespace engine
