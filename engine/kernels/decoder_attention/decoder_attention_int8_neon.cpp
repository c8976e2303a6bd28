#include <arm_neon.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/largest_neon.h"

namespace engine::kernels {
namespace {

constexpr int width = 4;
constexpr float steps = 32767;

// The sums of four keys, or of four dimensions: each has a vector of its own, with a sum for each
// of its four neighbouring terms.
struct Sums {
  int32x4_t s0{}, s1{}, s2{}, s3{};

  // `terms` are [4, 4]; `factors` the same four twice.
  void add_products(int8x16_t terms, int16x8_t factors) {
    const int16x8_t first = vmovl_s8(vget_low_s8(terms));
    const int16x8_t other = vmovl_high_s8(terms);
    s0 = vmlal_s16(s0, vget_low_s16(factors), vget_low_s16(first));
    s1 = vmlal_high_s16(s1, factors, first);
    s2 = vmlal_s16(s2, vget_low_s16(factors), vget_low_s16(other));
    s3 = vmlal_high_s16(s3, factors, other);
  }
  int32x4_t joined() const { return vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3)); }
};

int16x8_t twice(const std::int16_t* four) {
  const int16x4_t once = vld1_s16(four);
  return vcombine_s16(once, once);
}

// Returns the float whose steps are so many of the largest of some sizes.
float step_of(uint32x4_t largest) {
  return std::max(largest_size(largest), 1e-30F) / steps;
}

// Keys are stored 128 too large, which is turning their highest bit.
int8x16_t load_keys(const std::uint8_t* keys) {
  return vreinterpretq_s8_u8(veorq_u8(vld1q_u8(keys), vdupq_n_u8(0x80)));
}

void score_row(const HeadKv& kv, const float* query, int blocks, float* scores) {
  uint32x4_t largest = vdupq_n_u32(0);
  for (int i = 0; i < head_dim; i += width) {
    largest = vmaxq_u32(largest, size_bits(vld1q_f32(query + i)));
  }
  const float scale = step_of(largest);
  std::array<std::int16_t, head_dim> whole;
  for (int i = 0; i < head_dim; i += width) {
    const float32x4_t four = vmulq_n_f32(vld1q_f32(query + i), 1 / scale);
    vst1_s16(whole.data() + i, vqmovn_s32(vcvtnq_s32_f32(four)));
  }
  const auto* keys = static_cast<const std::uint8_t*>(kv.keys);
  for (int block = 0; block < blocks; ++block, keys += key_block_size) {
    Sums sums[key_lanes / width];
    for (int i = 0; i < head_dim; i += 4) {
      const int16x8_t four = twice(whole.data() + i);
#pragma GCC unroll 4
      for (int v = 0; v < key_lanes / width; ++v) {
        sums[v].add_products(load_keys(keys + i * key_lanes + v * 4 * width), four);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < key_lanes / width; ++v) {
      const int key = block * key_lanes + v * width;
      const float32x4_t factor = vmulq_n_f32(vld1q_f32(kv.key_scale + key), scale);
      vst1q_f32(scores + key, vmulq_f32(vcvtq_f32_s32(sums[v].joined()), factor));
    }
  }
}

void score(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
           std::ptrdiff_t stride) {
  for (int r = 0; r < rows; ++r) {
    score_row(kv, queries + r * head_dim, blocks, scores + r * stride);
  }
}

// Adds up 16 dimensions of the values over some keys: few enough that 32 bits hold the sum.
void add_dimensions(const std::int8_t* values, const std::int16_t* weights, int keys, float scale,
                    float* out) {
  constexpr int vectors = 4;
  Sums sums[vectors];
  for (int key = 0; key < keys; key += 4, values += 4 * head_dim) {
    const int16x8_t four = twice(weights + key);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sums[v].add_products(vld1q_s8(values + v * 16), four);
  }
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) {
    const float32x4_t sum = vcvtq_f32_s32(sums[v].joined());
    vst1q_f32(out + v * width, vfmaq_n_f32(vld1q_f32(out + v * width), sum, scale));
  }
}

void sum_row(const HeadKv& kv, const float* weights, int blocks, float* out) {
  const auto weighted = [&](int key) {
    return vmulq_f32(vld1q_f32(weights + key), vld1q_f32(kv.value_scale + key));
  };
  uint32x4_t largest = vdupq_n_u32(0);
  for (int key = 0; key < blocks * key_lanes; key += width) {
    largest = vmaxq_u32(largest, size_bits(weighted(key)));
  }
  const float scale = step_of(largest);
  std::fill(out, out + head_dim, 0.0F);
  constexpr int part = 512;  // 512·127·32767 < 2^31
  std::array<std::int16_t, part> whole;
  const auto* values = static_cast<const std::int8_t*>(kv.values);
  for (int begin = 0; begin < blocks * key_lanes; begin += part) {
    const int keys = std::min(part, blocks * key_lanes - begin);
    for (int i = 0; i < keys; i += width) {
      const float32x4_t four = vmulq_n_f32(weighted(begin + i), 1 / scale);
      vst1_s16(whole.data() + i, vqmovn_s32(vcvtnq_s32_f32(four)));
    }
    for (int dim = 0; dim < head_dim; dim += 16) {
      add_dimensions(values + std::ptrdiff_t{begin} * head_dim + dim * 4, whole.data(), keys, scale,
                     out + dim);
    }
  }
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  for (int r = 0; r < rows; ++r) sum_row(kv, scores + r * stride, blocks, out + r * head_dim);
}

}  // namespace

KvKernel kv_kernel_int8_neon() {
  return {score, kv_kernel_bfloat16_neon().soften, sum_values};
}

}  // namespace engine::kernels
