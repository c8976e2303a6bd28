#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/top_logits/candidates.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr std::size_t width = 8;

}  // namespace

float largest_avx2(std::span<const float> numbers) {
  const __m256 none = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  __m256 largest[2] = {none, none};
  std::size_t i = 0;
  for (; i + 2 * width <= numbers.size(); i += 2 * width) {
    largest[0] = _mm256_max_ps(largest[0], _mm256_loadu_ps(numbers.data() + i));
    largest[1] = _mm256_max_ps(largest[1], _mm256_loadu_ps(numbers.data() + i + width));
  }
  float result = maximum_lane(_mm256_max_ps(largest[0], largest[1]));
  for (; i < numbers.size(); ++i) result = std::max(result, numbers[i]);
  return result;
}

void find_at_least_avx2(std::span<const float> numbers, float least, int first,
                        std::vector<int>& found) {
  const __m256 bound = _mm256_set1_ps(least);
  std::size_t i = 0;
  for (; i + width <= numbers.size(); i += width) {
    auto hits = static_cast<unsigned>(
        _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(numbers.data() + i), bound, _CMP_GE_OQ)));
    for (; hits != 0; hits &= hits - 1) {
      found.push_back(first + static_cast<int>(i) + __builtin_ctz(hits));
    }
  }
  for (; i < numbers.size(); ++i) {
    if (numbers[i] >= least) found.push_back(first + static_cast<int>(i));
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
