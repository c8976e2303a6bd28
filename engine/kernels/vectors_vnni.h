#pragma once

#include <immintrin.h>

#include <cstdint>

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace engine::kernels {

// The sums of one row by 64 outputs. They are named and not an array, which GCC 12 would keep in
// memory.
struct Vectors {
  __m512i v0{}, v1{}, v2{}, v3{};

  [[gnu::always_inline]] void add_products(const std::uint8_t* four_inputs, const Vectors& weight) {
    std::int32_t four;
    __builtin_memcpy(&four, four_inputs, 4);
    const __m512i x = _mm512_set1_epi32(four);
    v0 = _mm512_dpbusd_epi32(v0, x, weight.v0);
    v1 = _mm512_dpbusd_epi32(v1, x, weight.v1);
    v2 = _mm512_dpbusd_epi32(v2, x, weight.v2);
    v3 = _mm512_dpbusd_epi32(v3, x, weight.v3);
  }
};

}  // namespace engine::kernels

#pragma GCC pop_options
