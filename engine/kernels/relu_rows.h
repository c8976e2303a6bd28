#pragma once

#include <cstdint>

#include "engine/kernels/bfloat16.h"

// These functions work on one row of activations at a time, on the way from one layer with a ReLU
// to the next. They need AVX2 or NEON; the rows' lengths are multiples of 8.
namespace engine::kernels {

// Computes max(x, 0) in place, and returns the largest.
float relu(float* x, int n);

// Computes max(x + y, 0) into x, and returns the largest.
float add_relu(float* x, const float* y, int n);

// Computes max(x·scale + shift, 0), with a scale and a shift for each element.
void norm_relu(const float* x, const float* scale, const float* shift, int n, float* out);

// Quantizes x ≈ scale·q, where no x is negative and `scale` is at least the largest / 255.
void quantize_positive(const float* x, int n, float scale, std::uint8_t* q);

// Rounds to bfloat16.
void round_row(const float* x, int n, Bfloat16* out);

}  // namespace engine::kernels
