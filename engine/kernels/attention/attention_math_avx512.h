#pragma once

#include <immintrin.h>

#include "engine/kernels/bfloat16.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

constexpr float log2_e = 1.44269504F;

// Computes 2^x within 1.5e-7 relative (minimax polynomial of degree 5) for x ≤ 0; the result is
// next to 0 below -126, and NaN of NaN: of two operands the second is taken where one is none.
inline __m512 exp2(__m512 x) {
  x = _mm512_max_ps(_mm512_set1_ps(-126.0F), x);
  const __m512 whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512 fraction = _mm512_sub_ps(x, whole);
  __m512 p = _mm512_set1_ps(1.3276472e-3F);
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(9.67554133e-3F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(5.55071327e-2F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.240221197F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.693146967F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(1.0F));
  return _mm512_scalef_ps(p, whole);
}

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
