#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/kernels/gemm/gemm.h"

// Multiplies with a matrix of so many outputs that reading its weights is all the work, where only
// the largest results have to be exact: 4-bit weights, half as many bytes, say which outputs can be
// among them, and those are computed again in int8. It is for x86_64 and for arm64 with
// dot products.
namespace engine::kernels {

// A weight [n_out, n_in] in four bits: a view. A row of activations is that of Int8Matrix. What is
// rounded is a weight's distance to the mean of all outputs' weights for its input: embeddings of
// tokens have much in common, and the inputs that meet it are the largest (base: logits are off by
// 0.35, and by 1.8 without it and without the factors of columns in cpu/int8_rounding.h).
struct Int4Matrix {
  int n_in = 0;   // a multiple of 4
  int n_out = 0;  // whole panels; those beyond the layer's own are zero
  // The weights are [n_out/64, n_in/4, 2, 64]: of each byte the low half belongs to outputs 0 to 15
  // (32 to 47 in the second 64 bytes) of the panel and the high half to the 16 outputs after them,
  // in Int8Matrix's order; each is the weight + 8.
  const std::uint8_t* weight = nullptr;
  const float* scale = nullptr;  // [n_out]
  const float* sum = nullptr;    // [n_out], scale[n]·Σ_k w[n][k]
  const float* mean = nullptr;   // [n_in]
  // One number, the standard deviation of what rounding adds to a product; null where nobody asks.
  const float* deviation = nullptr;
};

// Returns the bytes of the packed weight.
std::size_t int4_size(int n_out, int n_in);

// Quantizes weight [n_out, n_in] per output, symmetric in ±7, and packs it. Weights are finite.
// Returns the mean squared error of each input's weights, [n_in].
//   packed      [int4_size()], 64-byte aligned
//   scale, sum  [padded_outputs(n_out)]
//   mean        [n_in]
std::vector<float> pack_int4(std::span<const float> weight, int n_out, int n_in,
                             std::uint8_t* packed, float* scale, float* sum, float* mean);

// Writes x·Wᵀ of the panels, nearly, to out [rows, stride]; numbers for outputs beyond the layer's
// own mean nothing.
void gemm_int4_vnni(const Int8Rows& x, int rows, const Int4Matrix& weight, Panels panels,
                    float* out, std::ptrdiff_t stride);

// Writes to out[n] what gemm_int8 gives for row `row`, for each n of `outputs`; n_in is a
// multiple of 64.
void refine_int8_vnni(const Int8Rows& x, int row, const Int8Matrix& weight,
                      std::span<const int> outputs, float* out);

void gemm_int4_avx2(const Int8Rows& x, int rows, const Int4Matrix& weight, Panels panels,
                    float* out, std::ptrdiff_t stride);
void refine_int8_avx2(const Int8Rows& x, int row, const Int8Matrix& weight,
                      std::span<const int> outputs, float* out);

void gemm_int4_neon_dotprod(const Int8Rows& x, int rows, const Int4Matrix& weight, Panels panels,
                            float* out, std::ptrdiff_t stride);
void refine_int8_neon_dotprod(const Int8Rows& x, int row, const Int8Matrix& weight,
                              std::span<const int> outputs, float* out);

}  // namespace engine::kernels
