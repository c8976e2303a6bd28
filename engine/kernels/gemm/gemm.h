#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/gemm/packed_matrix.h"

// Multiplies rows of activations with packed weights: out = x·Wᵀ + bias, for any number of rows and
// the panels [first, last) of W, so that threads can share them. One thread makes each call.
namespace engine::kernels {

// Rows of activations are quantized each by itself: x ≈ scale·(q - zero).
struct Int8Rows {
  const std::uint8_t* data = nullptr;  // [rows, n_in]
  const float* scale = nullptr;        // [rows]
  const float* zero = nullptr;         // [rows], whole numbers
};

struct Bfloat16Rows {
  const std::uint16_t* data = nullptr;
  std::ptrdiff_t stride = 0;  // from row to row; rows may overlap, as a convolution's do
};

struct Float32Rows {
  const float* data = nullptr;
  std::ptrdiff_t stride = 0;  // from row to row; rows may overlap
};

// The use of a result, after the bias.
enum class Store {
  float32,        // is written
  add,            // is added to what is there, a float32 residual
  gelu,           // GELU (erf) within 4e-5 for |x| ≤ 8, written as float32
  exact_gelu,     // GELU within 2e-7 of the larger of 1 and |x|, written as float32
  bfloat16,       // is written, rounded
  gelu_bfloat16,  // GELU, written rounded
};

struct Output {
  Store store = Store::float32;
  void* data = nullptr;       // float or bfloat16, of column 0 of W
  std::ptrdiff_t stride = 0;  // elements from row to row
};

struct Panels {
  int first = 0;
  int last = 0;
};

// Tiles of AMX take as long for one row as for sixteen: fewer rows than these are multiplied by
// AVX-512 in int8, which gives the same bits.
constexpr int least_amx_rows = 5;

// Those of the architecture that this is compiled for are there.
void gemm_int8_avx2(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out);
void gemm_int8_avx_vnni(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                        const Output& out);
void gemm_int8_vnni(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out);
void gemm_int8_amx(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                   const Output& out);
void gemm_bfloat16_avx2(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                        Panels panels, const Output& out);
void gemm_bfloat16_avx512(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                          Panels panels, const Output& out);
void gemm_bfloat16_amx(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight, Panels panels,
                       const Output& out);
void gemm_float32_avx2(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                       const Output& out);
void gemm_float16_avx2(const Float32Rows& x, int rows, const Float16Matrix& weight, Panels panels,
                       const Output& out);
void gemm_float32_avx512(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                         const Output& out);
void gemm_float16_avx512(const Float32Rows& x, int rows, const Float16Matrix& weight, Panels panels,
                         const Output& out);
void gemm_int8_neon(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out);
void gemm_int8_neon_dotprod(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                            const Output& out);
void gemm_int8_neon_i8mm(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                         const Output& out);
void gemm_bfloat16_neon(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                        Panels panels, const Output& out);
void gemm_bfloat16_neon_bf16(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                             Panels panels, const Output& out);
void gemm_float32_neon(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                       const Output& out);
void gemm_float16_neon(const Float32Rows& x, int rows, const Float16Matrix& weight, Panels panels,
                       const Output& out);

}  // namespace engine::kernels
