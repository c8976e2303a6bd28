#include <arm_neon.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/largest_neon.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")

namespace engine::kernels {
namespace {

constexpr int width = 4;
constexpr int inputs = 16;  // bytes of a vector
// Numbers are split into 256·high + low, both bytes with a sign.
constexpr float steps = 127 * 256;

// Returns the float whose steps are so many of the largest of some sizes.
float step_of(uint32x4_t largest) {
  return std::max(largest_size(largest), 1e-30F) / steps;
}

// Splits 16 whole numbers.
void split(const int32x4_t (&whole)[4], std::int8_t* high, std::int8_t* low) {
  int16x4_t upper[4];
  int16x4_t lower[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const int32x4_t rounded = vshrq_n_s32(vaddq_s32(whole[i], vdupq_n_s32(128)), 8);
    upper[i] = vmovn_s32(rounded);
    lower[i] = vmovn_s32(vsubq_s32(whole[i], vshlq_n_s32(rounded, 8)));
  }
  const auto bytes = [](const int16x4_t(&words)[4]) {
    return vcombine_s8(vqmovn_s16(vcombine_s16(words[0], words[1])),
                       vqmovn_s16(vcombine_s16(words[2], words[3])));
  };
  vst1q_s8(high, bytes(upper));
  vst1q_s8(low, bytes(lower));
}

// Returns the sums of four numbers by both halves of what they are multiplied with.
int32x4_t joined(int32x4_t high, int32x4_t low) {
  return vaddq_s32(vshlq_n_s32(high, 8), low);
}

struct SplitQuery {
  std::array<std::int8_t, head_dim> high, low;
  float scale;
};

SplitQuery split_query(const float* query) {
  uint32x4_t largest = vdupq_n_u32(0);
  for (int i = 0; i < head_dim; i += width) {
    largest = vmaxq_u32(largest, size_bits(vld1q_f32(query + i)));
  }
  SplitQuery result;
  result.scale = step_of(largest);
  for (int i = 0; i < head_dim; i += inputs) {
    int32x4_t whole[4];
    for (int v = 0; v < 4; ++v) {
      whole[v] = vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(query + i + v * width), 1 / result.scale));
    }
    split(whole, result.high.data() + i, result.low.data() + i);
  }
  return result;
}

// Multiplies `vectors` times 16 bytes, four neighbouring ones each with the four of both factors.
template <int four, int vectors>
[[gnu::always_inline]] inline void add_products(const int8x16_t (&terms)[vectors], int8x16_t high,
                                                int8x16_t low, int32x4_t (&high_sums)[vectors],
                                                int32x4_t (&low_sums)[vectors]) {
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) {
    high_sums[v] = vdotq_laneq_s32(high_sums[v], terms[v], high, four);
    low_sums[v] = vdotq_laneq_s32(low_sums[v], terms[v], low, four);
  }
}

constexpr int key_vectors = key_lanes / width;

// Keys are stored 128 too large, which is turning their highest bit.
template <int four>
[[gnu::always_inline]] inline void add_keys(const std::uint8_t* keys, int8x16_t high, int8x16_t low,
                                            int32x4_t (&high_sums)[key_vectors],
                                            int32x4_t (&low_sums)[key_vectors]) {
  int8x16_t terms[key_vectors];
#pragma GCC unroll 8
  for (int v = 0; v < key_vectors; ++v) {
    const uint8x16_t larger = vld1q_u8(keys + four * 4 * key_lanes + v * 4 * width);
    terms[v] = vreinterpretq_s8_u8(veorq_u8(larger, vdupq_n_u8(0x80)));
  }
  add_products<four, key_vectors>(terms, high, low, high_sums, low_sums);
}

void score_row(const HeadKv& kv, const SplitQuery& query, int blocks, float* scores) {
  const auto* keys = static_cast<const std::uint8_t*>(kv.keys);
  for (int block = 0; block < blocks; ++block, keys += key_block_size) {
    int32x4_t high_sums[key_vectors] = {};
    int32x4_t low_sums[key_vectors] = {};
#pragma GCC unroll 4
    for (int dim = 0; dim < head_dim; dim += inputs) {
      const int8x16_t high = vld1q_s8(query.high.data() + dim);
      const int8x16_t low = vld1q_s8(query.low.data() + dim);
      const std::uint8_t* from = keys + dim * key_lanes;
      add_keys<0>(from, high, low, high_sums, low_sums);
      add_keys<1>(from, high, low, high_sums, low_sums);
      add_keys<2>(from, high, low, high_sums, low_sums);
      add_keys<3>(from, high, low, high_sums, low_sums);
    }
#pragma GCC unroll 4
    for (int v = 0; v < key_vectors; ++v) {
      const int key = block * key_lanes + v * width;
      const float32x4_t factor = vmulq_n_f32(vld1q_f32(kv.key_scale + key), query.scale);
      const float32x4_t dot = vcvtq_f32_s32(joined(high_sums[v], low_sums[v]));
      vst1q_f32(scores + key, vmulq_f32(dot, factor));
    }
  }
}

void score(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
           std::ptrdiff_t stride) {
  for (int r = 0; r < rows; ++r) {
    score_row(kv, split_query(queries + r * head_dim), blocks, scores + r * stride);
  }
}

constexpr int value_vectors =
    8;  // 32 dimensions at a time: two sums of each are half of the registers

template <int four>
[[gnu::always_inline]] inline void add_four_values(const std::int8_t* values, int8x16_t high,
                                                   int8x16_t low,
                                                   int32x4_t (&high_sums)[value_vectors],
                                                   int32x4_t (&low_sums)[value_vectors]) {
  int8x16_t terms[value_vectors];
#pragma GCC unroll 8
  for (int v = 0; v < value_vectors; ++v) {
    terms[v] = vld1q_s8(values + four * 4 * head_dim + v * 4 * width);
  }
  add_products<four, value_vectors>(terms, high, low, high_sums, low_sums);
}

// Adds up 32 dimensions of the values over some keys, whole blocks.
void add_dimensions(const std::int8_t* values, const std::int8_t* high, const std::int8_t* low,
                    int keys, float scale, float* out) {
  int32x4_t high_sums[value_vectors] = {};
  int32x4_t low_sums[value_vectors] = {};
  for (int key = 0; key < keys; key += inputs, values += inputs * head_dim) {
    const int8x16_t upper = vld1q_s8(high + key);
    const int8x16_t lower = vld1q_s8(low + key);
    add_four_values<0>(values, upper, lower, high_sums, low_sums);
    add_four_values<1>(values, upper, lower, high_sums, low_sums);
    add_four_values<2>(values, upper, lower, high_sums, low_sums);
    add_four_values<3>(values, upper, lower, high_sums, low_sums);
  }
#pragma GCC unroll 8
  for (int v = 0; v < value_vectors; ++v) {
    const float32x4_t sum = vcvtq_f32_s32(joined(high_sums[v], low_sums[v]));
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
  constexpr int part = 512;  // 512·127·127·256 < 2^31
  std::array<std::int8_t, part> high, low;
  const auto* values = static_cast<const std::int8_t*>(kv.values);
  for (int begin = 0; begin < blocks * key_lanes; begin += part) {
    const int keys = std::min(part, blocks * key_lanes - begin);
    for (int i = 0; i < keys; i += inputs) {
      int32x4_t whole[4];
      for (int v = 0; v < 4; ++v) {
        whole[v] = vcvtnq_s32_f32(vmulq_n_f32(weighted(begin + i + v * width), 1 / scale));
      }
      split(whole, high.data() + i, low.data() + i);
    }
    for (int dim = 0; dim < head_dim; dim += value_vectors * width) {
      add_dimensions(values + std::ptrdiff_t{begin} * head_dim + dim * 4, high.data(), low.data(),
                     keys, scale, out + dim);
    }
  }
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  for (int r = 0; r < rows; ++r) sum_row(kv, scores + r * stride, blocks, out + r * head_dim);
}

}  // namespace

KvKernel kv_kernel_int8_neon_dotprod() {
  return {score, kv_kernel_bfloat16_neon().soften, sum_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
