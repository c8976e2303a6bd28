#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/attention/attention_layout.h"

namespace engine::kernels {

// The rows of all heads lie side by side, or those of one: row t begins at data + t·stride.
struct KvRows {
  const float* data = nullptr;
  std::ptrdiff_t stride = 0;

  KvRows from(int row) const { return {data + row * stride, stride}; }
};

// Write the rows of one head as its positions [first, first + count), in the layouts of
// attention_layout.h and decoder_attention_kernel.h.
void write_float32_keys(const KvRows& rows, int first, int count, float* keys);
void write_float32_values(const KvRows& rows, int first, int count, float* values);
void write_bfloat16_keys(const KvRows& rows, int first, int count, Bfloat16* keys);
void write_bfloat16_values(const KvRows& rows, int first, int count, Bfloat16* values);
void write_int8_keys(const KvRows& rows, int first, int count, std::uint8_t* keys, float* scale);
void write_int8_values(const KvRows& rows, int first, int count, std::int8_t* values, float* scale);

}  // namespace engine::kernels
