#include <immintrin.h>

#include <cstddef>
#include <limits>

#include "engine/kernels/top_logits/candidates.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {
namespace {

constexpr std::size_t width = 16;

__mmask16 lanes_from(std::size_t begin, std::size_t end) {
  return static_cast<__mmask16>(end - begin < width ? (1 << (end - begin)) - 1 : 0xFFFF);
}

}  // namespace

float largest_avx512(std::span<const float> numbers) {
  const __m512 none = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  __m512 largest[2] = {none, none};
  for (std::size_t i = 0, at = 0; i < numbers.size(); i += width, at ^= 1) {
    const __m512 next =
        _mm512_mask_loadu_ps(none, lanes_from(i, numbers.size()), numbers.data() + i);
    largest[at] = _mm512_max_ps(largest[at], next);
  }
  return _mm512_reduce_max_ps(_mm512_max_ps(largest[0], largest[1]));
}

void find_at_least_avx512(std::span<const float> numbers, float least, int first,
                          std::vector<int>& found) {
  const __m512 bound = _mm512_set1_ps(least);
  for (std::size_t i = 0; i < numbers.size(); i += width) {
    const __mmask16 lanes = lanes_from(i, numbers.size());
    unsigned hits = _mm512_mask_cmp_ps_mask(lanes, _mm512_maskz_loadu_ps(lanes, numbers.data() + i),
                                            bound, _CMP_GE_OQ);
    for (; hits != 0; hits &= hits - 1) {
      found.push_back(first + static_cast<int>(i) + __builtin_ctz(hits));
    }
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
