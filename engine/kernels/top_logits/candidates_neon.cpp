#include <arm_neon.h>

#include <cmath>
#include <cstddef>
#include <limits>

#include "engine/kernels/top_logits/candidates.h"

namespace engine::kernels {
namespace {

constexpr std::size_t width = 4;

}  // namespace

float largest_neon(std::span<const float> numbers) {
  const float none = -std::numeric_limits<float>::infinity();
  float32x4_t largest[2] = {vdupq_n_f32(none), vdupq_n_f32(none)};
  std::size_t i = 0;
  for (; i + 2 * width <= numbers.size(); i += 2 * width) {
    largest[0] = vmaxnmq_f32(largest[0], vld1q_f32(numbers.data() + i));
    largest[1] = vmaxnmq_f32(largest[1], vld1q_f32(numbers.data() + i + width));
  }
  float result = vmaxnmvq_f32(vmaxnmq_f32(largest[0], largest[1]));
  for (; i < numbers.size(); ++i) result = std::fmax(result, numbers[i]);
  return result;
}

// Few numbers reach the bound, so that most fours of them are passed over at once.
void find_at_least_neon(std::span<const float> numbers, float least, int first,
                        std::vector<int>& found) {
  const auto note = [&](std::size_t i) {
    if (numbers[i] >= least) found.push_back(first + static_cast<int>(i));
  };
  std::size_t i = 0;
  for (; i + width <= numbers.size(); i += width) {
    const uint32x4_t hits = vcgeq_f32(vld1q_f32(numbers.data() + i), vdupq_n_f32(least));
    if (vmaxvq_u32(hits) == 0) continue;
    for (std::size_t lane = 0; lane < width; ++lane) note(i + lane);
  }
  for (; i < numbers.size(); ++i) note(i);
}

}  // namespace engine::kernels
