#pragma once

#include <cstddef>
#include <span>

namespace engine::kernels {

// Rows of floats are whole vectors of this width, with zeros beyond their own numbers.
constexpr std::size_t similar_width = 16;

struct MostSimilar {
  std::size_t row = 0;
  float product = 0;
};

// Products of rows, as they are written for one instruction set; sums are added in a fixed order.
struct Similarity {
  // Returns a·b.
  float (*product)(const float* a, const float* b, std::size_t size);

  // Finds the one of `candidates` whose row has the largest product with row `to`; of equal ones it
  // is the first. `to` itself is left out, and returned where there is no other.
  //   rows  [any, size]
  MostSimilar (*most_similar)(const float* rows, std::size_t size,
                              std::span<const std::size_t> candidates, std::size_t to);
};

// Returns those for this CPU, which may be any.
Similarity fastest_similarity();

}  // namespace engine::kernels
