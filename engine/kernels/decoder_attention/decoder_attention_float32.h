#pragma once

#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/gemm/gemm.h"

// Keys and values in float32 are matrices, so that the kernels of products are all that is needed.
namespace engine::kernels {

static_assert(head_dim == panel_width, "the values of a head are one panel");

template <auto gemm>
void score_float32(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
                   std::ptrdiff_t stride) {
  const int n_key = padded_outputs(blocks * key_lanes);
  gemm({queries, head_dim}, rows, {head_dim, n_key, static_cast<const float*>(kv.keys), nullptr},
       {0, n_key / panel_width}, {Store::float32, scores, stride});
}

template <auto gemm>
void sum_float32_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows,
                        int blocks, float* out) {
  gemm({scores, stride}, rows,
       {blocks * key_lanes, head_dim, static_cast<const float*>(kv.values), nullptr}, {0, 1},
       {Store::float32, out, head_dim});
}

// Returns the kernel that multiplies with `gemm`, and softens as another one does.
template <auto gemm>
KvKernel kv_kernel_float32(const KvKernel& other) {
  return {score_float32<gemm>, other.soften, sum_float32_values<gemm>};
}

}  // namespace engine::kernels
