#include <arm_neon.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/channel_rows.h"
#include "engine/kernels/math_neon.h"

namespace engine::kernels {
namespace {

constexpr int lanes = 4;
constexpr int rows_at_once = 64;  // that are added in float32, before their sum goes to a double
constexpr float norm_eps = 1e-5F;

float32x4_t size_of(float32x4_t x) {
  return vabsq_f32(x);
}

float32x4_t leaky(float32x4_t x) {
  return vmaxq_f32(x, vmulq_f32(x, vdupq_n_f32(0.01F)));
}

// Returns all bits in the lanes that have a sign.
uint32x4_t negative(float32x4_t x) {
  return vcltzq_s32(vreinterpretq_s32_f32(x));
}

// A number between -1 and 1 as a fraction, whose denominator is between 1 and 2.
struct Fraction {
  float32x4_t above, below;
};

Fraction sigmoid(float32x4_t x) {
  const float32x4_t t = exp2(vmulq_f32(size_of(x), vdupq_n_f32(-log2_e)));
  const float32x4_t one = vdupq_n_f32(1);
  return {vbslq_f32(negative(x), t, one), vaddq_f32(one, t)};
}

Fraction tanh(float32x4_t x) {
  const float32x4_t t = exp2(vmulq_f32(size_of(x), vdupq_n_f32(-2 * log2_e)));
  const float32x4_t one = vdupq_n_f32(1);
  const float32x4_t size = vsubq_f32(one, t);
  return {vbslq_f32(negative(x), vnegq_f32(size), size), vaddq_f32(one, t)};
}

// Adds up the rows of each channel, or the squares of their distances to `centre`.
std::vector<double> sums_of(const float* x, int rows, int channels, const float* centre) {
  std::vector<double> totals(static_cast<std::size_t>(channels));
  for (int first = 0; first < rows; first += rows_at_once) {
    const int last = std::min(first + rows_at_once, rows);
    for (int c = 0; c < channels; c += lanes) {
      const float32x4_t middle = centre ? vld1q_f32(centre + c) : vdupq_n_f32(0);
      const float* from = x + static_cast<std::ptrdiff_t>(first) * channels + c;
      float32x4_t sum = vdupq_n_f32(0);
      for (int row = first; row < last; ++row, from += channels) {
        const float32x4_t y = vsubq_f32(vld1q_f32(from), middle);
        sum = centre ? vfmaq_f32(sum, y, y) : vaddq_f32(sum, y);
      }
      float parts[lanes];
      vst1q_f32(parts, sum);
      for (int i = 0; i < lanes; ++i) totals[static_cast<std::size_t>(c + i)] += parts[i];
    }
  }
  return totals;
}

}  // namespace

void pool(const float* x, std::ptrdiff_t stride, int channels, float* out) {
  for (int c = 0; c < channels; c += lanes, x += lanes) {
    const float32x4_t two = vmaxq_f32(vld1q_f32(x), vld1q_f32(x + stride));
    vst1q_f32(out + c, vmaxq_f32(two, vld1q_f32(x + 2 * stride)));
  }
}

void pool_sizes(const float* x, std::ptrdiff_t stride, int channels, float* out) {
  for (int c = 0; c < channels; c += lanes, x += lanes) {
    const float32x4_t two = vmaxq_f32(size_of(vld1q_f32(x)), size_of(vld1q_f32(x + stride)));
    vst1q_f32(out + c, vmaxq_f32(two, size_of(vld1q_f32(x + 2 * stride))));
  }
}

void norm_channels(float* x, int rows, int channels, const float* weight, const float* bias) {
  std::vector<float> scale(static_cast<std::size_t>(channels));
  std::vector<float> shift(scale.size());
  const std::vector<double> sums = sums_of(x, rows, channels, nullptr);
  for (std::size_t c = 0; c < sums.size(); ++c) shift[c] = static_cast<float>(sums[c] / rows);
  const std::vector<double> squares = sums_of(x, rows, channels, shift.data());
  for (std::size_t c = 0; c < squares.size(); ++c) {
    const auto variance = static_cast<float>(squares[c] / rows);
    scale[c] = weight[c] / std::sqrt(variance + norm_eps);
    shift[c] = bias[c] - shift[c] * scale[c];
  }
  for (int row = 0; row < rows; ++row, x += channels) {
    for (int c = 0; c < channels; c += lanes) {
      const float32x4_t y = vfmaq_f32(vld1q_f32(&shift[c]), vld1q_f32(x + c), vld1q_f32(&scale[c]));
      vst1q_f32(x + c, leaky(y));
    }
  }
}

void leaky_relu(float* x, int n) {
  for (int i = 0; i < n; i += lanes) vst1q_f32(x + i, leaky(vld1q_f32(x + i)));
}

void add_and_subtract(const float* x, const float* y, int n, float* sums, float* differences) {
  for (int i = 0; i < n; i += lanes) {
    const float32x4_t a = vld1q_f32(x + i);
    const float32x4_t b = vld1q_f32(y + i);
    vst1q_f32(sums + i, vaddq_f32(a, b));
    vst1q_f32(differences + i, vsubq_f32(a, b));
  }
}

// cells = forget·cells + input·new, and out = output·tanh(cells); fractions are put together, since
// a division takes as long as ten products.
void lstm_step(const float* gates, int n, float* cells, float* out) {
  for (int i = 0; i < n; i += lanes) {
    const Fraction input = sigmoid(vld1q_f32(gates + i));
    const Fraction forget = sigmoid(vld1q_f32(gates + n + i));
    const Fraction fresh = tanh(vld1q_f32(gates + 2 * n + i));
    const float32x4_t below = vmulq_f32(input.below, fresh.below);
    const float32x4_t kept = vmulq_f32(vmulq_f32(forget.above, vld1q_f32(cells + i)), below);
    const float32x4_t added = vmulq_f32(vmulq_f32(input.above, fresh.above), forget.below);
    const float32x4_t cell = vdivq_f32(vaddq_f32(kept, added), vmulq_f32(forget.below, below));
    vst1q_f32(cells + i, cell);
    const Fraction output = sigmoid(vld1q_f32(gates + 3 * n + i));
    const Fraction seen = tanh(cell);
    vst1q_f32(out + i,
              vdivq_f32(vmulq_f32(output.above, seen.above), vmulq_f32(output.below, seen.below)));
  }
}

}  // namespace engine::kernels
