#include "engine/whisper/cpu/int8_rounding.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace engine::cpu {
namespace {

// Few numbers of a row are more deviations off their mean.
constexpr float widest = 3;
// Inputs and columns that are all zero have factors, too.
constexpr float least_size = 1e-5F;
constexpr float input_steps = 255;
constexpr float weight_steps = 127;

float square(float x) {
  return x * x;
}

// The variance of what rounding to whole steps takes away.
float rounding_variance(float step) {
  return square(step) / 12;
}

// Returns the step of a row's scale, whose range has 0 in it.
float input_step(const InputSpread& inputs) {
  float least = 0;
  float most = 0;
  for (std::size_t k = 0; k < inputs.mean.size(); ++k) {
    least = std::min(least, inputs.mean[k] - widest * inputs.deviation[k]);
    most = std::max(most, inputs.mean[k] + widest * inputs.deviation[k]);
  }
  return (most - least) / input_steps;
}

}  // namespace

InputSpread equal_spread(int n_in) {
  const auto count = static_cast<std::size_t>(n_in);
  return {std::vector<float>(count, 0.0F), std::vector<float>(count, 1.0F)};
}

std::vector<float> column_factors(const InputSpread& inputs, std::span<const float> weight) {
  const std::size_t n_in = inputs.mean.size();
  std::vector<float> largest(n_in, least_size);
  for (std::size_t row = 0; row < weight.size(); row += n_in) {
    for (std::size_t k = 0; k < n_in; ++k) {
      largest[k] = std::max(largest[k], std::abs(weight[row + k]));
    }
  }
  std::vector<float> factors(n_in);
  for (std::size_t k = 0; k < n_in; ++k) {
    const float size = std::abs(inputs.mean[k]) + widest * inputs.deviation[k];
    factors[k] = std::sqrt(std::max(size, least_size) / largest[k]);
  }
  return factors;
}

void move_factors(std::span<const float> factors, InputSpread& inputs, std::span<float> weight) {
  for (std::size_t k = 0; k < factors.size(); ++k) {
    inputs.mean[k] /= factors[k];
    inputs.deviation[k] /= factors[k];
  }
  for (std::size_t row = 0; row < weight.size(); row += factors.size()) {
    for (std::size_t k = 0; k < factors.size(); ++k) weight[row + k] *= factors[k];
  }
}

float int8_error(const InputSpread& inputs, std::span<const float> weight) {
  const std::size_t n_in = inputs.mean.size();
  float input_power = 0;
  for (std::size_t k = 0; k < n_in; ++k) {
    input_power += square(inputs.mean[k]) + square(inputs.deviation[k]);
  }
  const float input_variance = rounding_variance(input_step(inputs));
  double sum = 0;
  int varying_outputs = 0;
  for (std::size_t row = 0; row < weight.size(); row += n_in) {
    float largest = 0;
    float power = 0;
    float signal = 0;
    for (std::size_t k = 0; k < n_in; ++k) {
      const float w = weight[row + k];
      largest = std::max(largest, std::abs(w));
      power += square(w);
      signal += square(w * inputs.deviation[k]);
    }
    if (signal == 0) continue;
    const float error =
        input_variance * power + rounding_variance(largest / weight_steps) * input_power;
    sum += error / signal;
    ++varying_outputs;
  }
  return varying_outputs == 0 ? 0 : static_cast<float>(std::sqrt(sum / varying_outputs));
}

}  // namespace engine::cpu
