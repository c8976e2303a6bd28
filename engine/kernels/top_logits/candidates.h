#pragma once

#include <span>
#include <vector>

// These functions look for the largest of many numbers, with AVX2, AVX-512 or NEON.
namespace engine::kernels {

// Returns the largest number; -infinity where there are none.
float largest_avx512(std::span<const float> numbers);

// Appends first + i to `found` for each number that is at least `least`.
void find_at_least_avx512(std::span<const float> numbers, float least, int first,
                          std::vector<int>& found);

float largest_avx2(std::span<const float> numbers);
void find_at_least_avx2(std::span<const float> numbers, float least, int first,
                        std::vector<int>& found);

float largest_neon(std::span<const float> numbers);
void find_at_least_neon(std::span<const float> numbers, float least, int first,
                        std::vector<int>& found);

}  // namespace engine::kernels
