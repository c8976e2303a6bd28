#pragma once

#include <cstdint>

#include "engine/kernels/bfloat16.h"

// These functions work on one row of activations at a time. They need AVX2 or NEON; the rows'
// lengths are multiples of 8.
namespace engine::kernels {

struct LayerNormWeights {
  const float* weight = nullptr;
  const float* bias = nullptr;
};

// Computes out = (x - mean)/√(variance + 1e-5)·weight + bias; out may be x.
void layer_norm(const float* x, const LayerNormWeights& norm, int n, float* out);

// Quantizes x ≈ scale·(q - zero), q in 0…255: the range of this row with 0 in it, so that 0 is
// exact. The scale of a row with an infinity or a NaN in it is NaN, and so is every product with
// it.
void quantize(const float* x, int n, std::uint8_t* q, float* scale, float* zero);

// Quantizes x ≈ scale·q, q in ±127, and returns the scale: NaN where the row is not all numbers.
float quantize_signed(const float* x, int n, std::int8_t* q);

// Rounds to bfloat16, to nearest, ties to even.
void round(const float* x, int n, Bfloat16* out);

// Computes x + y, in place.
void add(float* x, const float* y, int n);

}  // namespace engine::kernels
