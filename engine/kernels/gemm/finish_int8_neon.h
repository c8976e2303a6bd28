#pragma once

#include <arm_neon.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_neon.h"

namespace engine::kernels {

// Makes four outputs of one row, from `column` on, of the sums of their products.
template <Store store>
inline void finish(int32x4_t sums, const Int8Rows& x, int row, const Int8Matrix& w, int column,
                   const Output& out) {
  const float32x4_t scale = vdupq_n_f32(x.scale[row]);
  const float32x4_t shift = vdupq_n_f32(x.scale[row] * x.zero[row]);
  const float32x4_t zero = vfmsq_f32(vld1q_f32(w.bias + column), shift, vld1q_f32(w.sum + column));
  const float32x4_t factor = vmulq_f32(scale, vld1q_f32(w.scale + column));
  write<store>(vfmaq_f32(zero, vcvtq_f32_s32(sums), factor), out, row, column);
}

}  // namespace engine::kernels
