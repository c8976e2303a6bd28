#pragma once

#include <immintrin.h>

#include "engine/kernels/bfloat16.h"
#include "engine/kernels/math_avx512.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

inline __m512i load_16_pairs(const Bfloat16* pairs) {
  return _mm512_load_si512(pairs);
}

// Return the first and the second of each pair, widened.
inline __m512 first(__m512i pairs) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
}
inline __m512 second(__m512i pairs) {
  return _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(-65536)));
}

}  // namespace engine::kernels

#pragma GCC pop_options
