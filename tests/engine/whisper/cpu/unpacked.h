#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/kernels/bfloat16.h"
#include "engine/kernels/gemm/packed_matrix.h"
#include "engine/whisper/cpu/matrix.h"

// Packed matrices as plain numbers, by the layouts that packed_matrix.h describes.
namespace engine::cpu {

// Inputs of one output lie together in groups.
inline std::size_t place_of(int n, int k, int n_in, int group) {
  constexpr int width = kernels::panel_width;
  return static_cast<std::size_t>(n / width * width * n_in +
                                  (k / group * width + n % width) * group + k % group);
}

inline float weight_of(const kernels::Int8Matrix& matrix, int n, int k) {
  return matrix.scale[n] * static_cast<float>(matrix.weight[place_of(n, k, matrix.n_in, 4)]);
}

inline float weight_of(const kernels::Bfloat16Matrix& matrix, int n, int k) {
  return kernels::to_float(matrix.weight[place_of(n, k, matrix.n_in, 2)]);
}

inline float weight_of(const kernels::Float32Matrix& matrix, int n, int k) {
  return matrix.weight[place_of(n, k, matrix.n_in, 1)];
}

inline float weight_of(const kernels::Float16Matrix& matrix, int n, int k) {
  const kernels::Float16 bits = matrix.weight[place_of(n, k, matrix.n_in, 1)];
  const int exponent = bits >> 10 & 31;
  const int digits = (bits & 1023) + (exponent == 0 ? 0 : 1024);
  const float size = std::ldexp(static_cast<float>(digits), std::max(exponent, 1) - 25);
  return matrix.scale[n] * ((bits & 0x8000) != 0 ? -size : size);
}

inline float weight_of(const Matrix& matrix, int n, int k) {
  return std::visit([&](const auto& typed) { return weight_of(typed, n, k); }, matrix);
}

inline float bias_of(const Matrix& matrix, int n) {
  return std::visit([&](const auto& typed) { return typed.bias[n]; }, matrix);
}

// Returns where the weights of a packed model's matrix lie.
inline const void* place_of(const Matrix& matrix) {
  return std::visit([](const auto& typed) -> const void* { return typed.weight; }, matrix);
}

}  // namespace engine::cpu
