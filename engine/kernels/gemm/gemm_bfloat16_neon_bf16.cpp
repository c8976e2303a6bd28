#include <arm_neon.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/product_neon_mmla.h"
#include "engine/kernels/gemm/store_neon.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod+i8mm+bf16")

namespace engine::kernels {
namespace {

struct Bfloat16Products {
  using Sums = float32x4_t;
  [[gnu::always_inline]] static Sums multiply(Sums sums, uint8x16_t x, uint8x16_t weights) {
    return vbfmmlaq_f32(sums, vreinterpretq_bf16_u8(x), vreinterpretq_bf16_u8(weights));
  }
  // Return a row's sums of four outputs from those of two outputs each.
  [[gnu::always_inline]] static Sums first_row(Sums two, Sums other_two) {
    return vcombine_f32(vget_low_f32(two), vget_low_f32(other_two));
  }
  [[gnu::always_inline]] static Sums second_row(Sums two, Sums other_two) {
    return vcombine_f32(vget_high_f32(two), vget_high_f32(other_two));
  }
};

}  // namespace

void gemm_bfloat16_neon_bf16(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                             Panels panels, const Output& out) {
  with_store(out.store, [&]<Store store>() {
    multiply_mmla<Bfloat16Products>(
        {reinterpret_cast<const std::byte*>(x.data), 2 * x.stride}, rows,
        reinterpret_cast<const std::byte*>(weight.weight), 2 * std::ptrdiff_t{weight.n_in}, panels,
        [&](float32x4_t sums, int row, int column) {
          write<store>(vaddq_f32(sums, vld1q_f32(weight.bias + column)), out, row, column);
        });
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
