#include <arm_neon.h>

#include <cstring>

#include "engine/kernels/gemm/finish_int8_neon.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_switch.h"

namespace engine::kernels {
namespace {

constexpr int width = 4;  // outputs of a vector
constexpr int tile_rows = 2;
constexpr int tile_vectors = 2;

// Without dot products both sides are widened to 16 bits. Each of four outputs has a vector of its
// own, with a sum for each of its four neighbouring inputs.
struct Sums {
  int32x4_t s0{}, s1{}, s2{}, s3{};

  void add_products(int16x8_t inputs_twice, int16x8_t first_two, int16x8_t other_two) {
    s0 = vmlal_s16(s0, vget_low_s16(inputs_twice), vget_low_s16(first_two));
    s1 = vmlal_high_s16(s1, inputs_twice, first_two);
    s2 = vmlal_s16(s2, vget_low_s16(inputs_twice), vget_low_s16(other_two));
    s3 = vmlal_high_s16(s3, inputs_twice, other_two);
  }
  int32x4_t joined() const { return vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3)); }
};

int16x8_t widened_twice(const std::uint8_t* four_inputs) {
  std::uint32_t four;
  std::memcpy(&four, four_inputs, sizeof(four));
  return vreinterpretq_s16_u16(vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four))));
}

template <Store store, int rows>
void tile(const Int8Rows& x, int row, const Int8Matrix& w, int column, const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::int8_t* b =
      w.weight + column / panel_width * panel_width * n_in + column % panel_width * 4;
  Sums sums[rows][tile_vectors];
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 4) {
    int16x8_t inputs[rows];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) inputs[r] = widened_twice(a + r * n_in + k);
#pragma GCC unroll 4
    for (int v = 0; v < tile_vectors; ++v) {
      const int8x16_t weight = vld1q_s8(b + v * 4 * width);
      const int16x8_t first = vmovl_s8(vget_low_s8(weight));
      const int16x8_t other = vmovl_high_s8(weight);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) sums[r][v].add_products(inputs[r], first, other);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < tile_vectors; ++v) {
      finish<store>(sums[r][v].joined(), x, row + r, w, column + v * width, out);
    }
  }
}

}  // namespace

void gemm_int8_neon(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int column = panels.first * panel_width; column < panels.last * panel_width;
         column += tile_vectors * width) {
      int row = 0;
      for (; row + tile_rows <= rows; row += tile_rows) {
        tile<store, tile_rows>(x, row, weight, column, out);
      }
      if (row < rows) tile<store, 1>(x, row, weight, column, out);
    }
  });
}

}  // namespace engine::kernels
