#include "engine/kernels/most_similar.h"

#include <limits>

namespace engine::kernels {
namespace {

// The compiler takes these vectors apart where the CPU has smaller ones.
using Sixteen = float __attribute__((vector_size(64), aligned(4), may_alias));
using Eight = float __attribute__((vector_size(32)));
using Four = float __attribute__((vector_size(16)));

[[gnu::always_inline]] inline float product_of(const float* a, const float* b, std::size_t size) {
  Sixteen sum{};
  for (std::size_t i = 0; i < size; i += similar_width) {
    sum += *reinterpret_cast<const Sixteen*>(a + i) * *reinterpret_cast<const Sixteen*>(b + i);
  }
  const Eight eight = __builtin_shufflevector(sum, sum, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15);
  const Four four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) +
                    __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
  return (four[0] + four[1]) + (four[2] + four[3]);
}

[[gnu::always_inline]] inline MostSimilar search(const float* rows, std::size_t size,
                                                 std::span<const std::size_t> candidates,
                                                 std::size_t to) {
  MostSimilar best{to, -std::numeric_limits<float>::infinity()};
  for (const std::size_t row : candidates) {
    const float found = product_of(rows + row * size, rows + to * size, size);
    if (found > best.product && row != to) best = {row, found};
  }
  return best;
}

float product_any(const float* a, const float* b, std::size_t size) {
  return product_of(a, b, size);
}

MostSimilar most_similar_any(const float* rows, std::size_t size,
                             std::span<const std::size_t> candidates, std::size_t to) {
  return search(rows, size, candidates, to);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] float product_avx2(const float* a, const float* b, std::size_t size) {
  return product_of(a, b, size);
}

[[gnu::target("avx2,fma")]] MostSimilar most_similar_avx2(const float* rows, std::size_t size,
                                                          std::span<const std::size_t> candidates,
                                                          std::size_t to) {
  return search(rows, size, candidates, to);
}

[[gnu::target("avx512f")]] float product_avx512(const float* a, const float* b, std::size_t size) {
  return product_of(a, b, size);
}

[[gnu::target("avx512f")]] MostSimilar most_similar_avx512(const float* rows, std::size_t size,
                                                           std::span<const std::size_t> candidates,
                                                           std::size_t to) {
  return search(rows, size, candidates, to);
}
#endif

}  // namespace

Similarity fastest_similarity() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {product_avx512, most_similar_avx512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return {product_avx2, most_similar_avx2};
  }
#endif
  return {product_any, most_similar_any};
}

}  // namespace engine::kernels
