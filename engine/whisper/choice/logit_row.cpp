#include "engine/whisper/choice/logit_row.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "engine/kernels/each_level.h"

namespace engine {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
constexpr std::size_t lanes = 32;
using Lanes = std::array<float, lanes>;

// Computes e^x for x ≤ 0, within 4e-7 relative near 0 and 3e-6 at the floor: 2^n by the exponent's
// bits, and a minimax polynomial of degree 5 for what is left. Below 2^-100 it stays there.
[[gnu::always_inline]] inline float exponential(float x) {
  constexpr float log2_e = 1.44269504F;
  // Behind this sum a float has no bits left for a fraction, so that it is rounded to an integer.
  constexpr float rounder = 12582912.0F;
  x = std::max(x * log2_e, -100.0F);
  const float rounded = x + rounder;
  const float fraction = x - (rounded - rounder);
  float p = 1.3276472e-3F;
  p = p * fraction + 9.67554133e-3F;
  p = p * fraction + 5.55071327e-2F;
  p = p * fraction + 0.240221197F;
  p = p * fraction + 0.693146967F;
  p = p * fraction + 1.0F;
  const auto exponent = std::bit_cast<std::uint32_t>(rounded) << 23;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + exponent);
}

SCRIBED_EACH_LEVEL Lanes sums_of_nothing(std::span<const float> logits) {
  Lanes sums{};
  std::size_t i = 0;
  for (; i + lanes <= logits.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += 0 * logits[i + lane];
  }
  for (; i < logits.size(); ++i) sums[0] += 0 * logits[i];
  return sums;
}

SCRIBED_EACH_LEVEL Lanes largest_of_lanes(std::span<const float> logits) {
  Lanes found;
  found.fill(minus_infinity);
  std::size_t i = 0;
  for (; i + lanes <= logits.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      found[lane] = std::max(found[lane], logits[i + lane]);
    }
  }
  for (; i < logits.size(); ++i) found[0] = std::max(found[0], logits[i]);
  return found;
}

SCRIBED_EACH_LEVEL Lanes sums_of_exponentials(std::span<const float> logits, float minus) {
  Lanes sums{};
  std::size_t i = 0;
  for (; i + lanes <= logits.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sums[lane] += exponential(logits[i + lane] - minus);
    }
  }
  for (; i < logits.size(); ++i) sums[0] += exponential(logits[i] - minus);
  return sums;
}

double sum_of(const Lanes& lanes) {
  double sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

// A product with 0 is 0 only of numbers that are finite.
bool are_finite(std::span<const float> logits) {
  return sum_of(sums_of_nothing(logits)) == 0;
}

float largest(std::span<const float> logits) {
  const Lanes found = largest_of_lanes(logits);
  return *std::ranges::max_element(found);
}

int likeliest(std::span<const float> logits) {
  return likeliest(logits, 1)[0];
}

LogSoftmax log_softmax(std::span<const float> logits) {
  const float top = largest(logits);
  if (top == minus_infinity) return {top, 0};
  return {top, static_cast<float>(std::log(sum_of(sums_of_exponentials(logits, top))))};
}

// Few parts have anything above the least of those that are kept.
std::vector<int> likeliest(std::span<const float> logits, int count) {
  constexpr std::size_t part_size = 512;
  const auto logit = [&](int token) { return logits[static_cast<std::size_t>(token)]; };
  std::vector<int> found;
  const auto has_place_for = [&](float one) {
    return std::ssize(found) < count || one > logit(found.back());
  };
  for (std::size_t begin = 0; begin < logits.size(); begin += part_size) {
    const auto part = logits.subspan(begin, std::min(part_size, logits.size() - begin));
    if (!has_place_for(largest(part))) continue;
    for (std::size_t i = begin; i < begin + part.size(); ++i) {
      if (!has_place_for(logits[i])) continue;
      found.insert(std::ranges::upper_bound(found, logits[i], std::greater{}, logit),
                   static_cast<int>(i));
      if (std::ssize(found) > count) found.pop_back();
    }
  }
  return found;
}

}  // namespace engine
