#include <arm_neon.h>

#include "engine/kernels/gemm/finish_int8_neon.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/product_neon_mmla.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod+i8mm+bf16")

namespace engine::kernels {
namespace {

struct Int8Products {
  using Sums = int32x4_t;
  [[gnu::always_inline]] static Sums multiply(Sums sums, uint8x16_t x, uint8x16_t weights) {
    return vusmmlaq_s32(sums, x, vreinterpretq_s8_u8(weights));
  }
  // Return a row's sums of four outputs from those of two outputs each.
  [[gnu::always_inline]] static Sums first_row(Sums two, Sums other_two) {
    return vcombine_s32(vget_low_s32(two), vget_low_s32(other_two));
  }
  [[gnu::always_inline]] static Sums second_row(Sums two, Sums other_two) {
    return vcombine_s32(vget_high_s32(two), vget_high_s32(other_two));
  }
};

}  // namespace

void gemm_int8_neon_i8mm(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                         const Output& out) {
  with_store(out.store, [&]<Store store>() {
    multiply_mmla<Int8Products>({reinterpret_cast<const std::byte*>(x.data), weight.n_in}, rows,
                                reinterpret_cast<const std::byte*>(weight.weight), weight.n_in,
                                panels, [&](int32x4_t sums, int row, int column) {
                                  finish<store>(sums, x, row, weight, column, out);
                                });
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
