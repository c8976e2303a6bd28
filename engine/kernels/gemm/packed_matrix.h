#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernels/float16.h"

namespace engine::kernels {

// The kernels compute this many outputs at a time.
constexpr int panel_width = 64;
// No layer has more inputs, since kernels have room for a row of so many.
constexpr int most_inputs = 20480;

// A linear layer's weight [n_out, n_in] as the int8 kernels read it: a view, the memory is
// somebody else's. A row of activations x ≈ a·(q - zero) gives
//   y[n] = a·(scale[n]·Σ_k q[k]·w[n][k] - zero·sum[n]) + bias[n].
struct Int8Matrix {
  int n_in = 0;   // a multiple of 4
  int n_out = 0;  // whole panels; those beyond the layer's own are zero
  // The weights are [n_out/64, n_in/4, 64, 4]: four neighbouring inputs of one output are the 32
  // bits that VNNI and AMX multiply at once, and a panel is read from front to back.
  const std::int8_t* weight = nullptr;
  const float* scale = nullptr;  // [n_out]
  const float* sum = nullptr;    // [n_out], scale[n]·Σ_k w[n][k]
  const float* bias = nullptr;   // [n_out]
};

// A linear layer's weight in bfloat16, for what int8 is too coarse for.
struct Bfloat16Matrix {
  int n_in = 0;                           // a multiple of 2
  int n_out = 0;                          // whole panels
  const std::uint16_t* weight = nullptr;  // [n_out/64, n_in/2, 64, 2]
  const float* bias = nullptr;            // [n_out]
};

// A linear layer's weight as it is.
struct Float32Matrix {
  int n_in = 0;
  int n_out = 0;                  // whole panels
  const float* weight = nullptr;  // [n_out/64, n_in, 64]
  const float* bias = nullptr;    // [n_out], or null for none
};

// A Float32Matrix whose weights are all numbers of float16, which read as float32 are as they were:
// half as many bytes to read. Products and sums are those of Float32Matrix, to the bit.
struct Float16Matrix {
  int n_in = 0;
  int n_out = 0;                    // whole panels
  const Float16* weight = nullptr;  // [n_out/64, n_in, 64]
  const float* scale = nullptr;     // [n_out]; powers of two change nothing but exponents
  const float* bias = nullptr;      // [n_out]
};

int padded_outputs(int n_out);

// Quantizes weight [n_out, n_in] per output, symmetric in ±127, and packs it. Weights are finite.
//   packed  [padded_outputs(n_out)·n_in], 64-byte aligned
//   scale, sum  [padded_outputs(n_out)]
void pack_int8(std::span<const float> weight, int n_out, int n_in, std::int8_t* packed,
               float* scale, float* sum);

//   packed  [padded_outputs(n_out)·n_in], 64-byte aligned
void pack_bfloat16(std::span<const float> weight, int n_out, int n_in, std::uint16_t* packed);

//   packed  [padded_outputs(n_out)·n_in], 64-byte aligned
void pack_float32(std::span<const float> weight, int n_out, int n_in, float* packed);

// Packs weights that float16 has.
//   packed  [padded_outputs(n_out)·n_in], 64-byte aligned
void pack_float16(std::span<const float> weight, int n_out, int n_in, Float16* packed);

}  // namespace engine::kernels
