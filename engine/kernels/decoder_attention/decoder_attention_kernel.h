#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/attention/attention_layout.h"
#include "engine/kernels/isa.h"

namespace engine::kernels {

// The format of keys and values between decode steps.
enum class KvFormat {
  float32,   // as gemm_float32 reads a matrix
  bfloat16,  // in the layout of attention_layout.h
  int8,      // half of that; each position of a head with a scale of its own
};

// One head's keys and values. As int8:
//   keys    [blocks, 16, 16, 4]  blocks of 16 keys; four neighbouring dimensions of a key, each
//                                127·key/scale + 128 without a sign, as VNNI wants one of two
//   values  [fours, 64, 4]       a dimension of four neighbouring keys, with a sign
// As float32, so that both are matrices of gemm_float32:
//   keys    [panels, 64, 64]     panels of 64 keys; a dimension of all keys of a panel together
//   values  [keys, 64]
// All are whole blocks of 16 keys, or panels of 64, finite beyond the last one too.
struct HeadKv {
  const void* keys = nullptr;
  const void* values = nullptr;
  const float* key_scale = nullptr;  // [keys], int8 only
  const float* value_scale = nullptr;
};

// A kernel takes so many queries of one head at a time.
constexpr int max_tile_rows = 2;

// The functions of one step's work on one head. Queries, scores and sums are float32; scores lie in
// rows of `stride`.
struct KvKernel {
  // Computes scores[r, key] = queries[r]·keys[key] over whole blocks of 16 keys; the float32 one
  // over whole panels of 64, which `stride` has room for.
  void (*score)(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
                std::ptrdiff_t stride);
  // Computes scores = e^(score - maximum) of n_key keys and 0 from there to `end`, a whole block;
  // returns their sum.
  float (*soften)(float* scores, int n_key, int end);
  // Computes out[r] = Σ_key scores[r, key]·values[key] over whole blocks.
  void (*sum_values)(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows,
                     int blocks, float* out);
};

KvKernel kv_kernel(Isa isa, KvFormat format);

// These are in decoder_attention_avx2.cpp and its siblings, those of this architecture.
KvKernel kv_kernel_bfloat16_avx2();
KvKernel kv_kernel_bfloat16_avx512();
KvKernel kv_kernel_int8_avx2();
KvKernel kv_kernel_int8_vnni();
KvKernel kv_kernel_bfloat16_neon();
KvKernel kv_kernel_int8_neon();
KvKernel kv_kernel_int8_neon_dotprod();

}  // namespace engine::kernels
