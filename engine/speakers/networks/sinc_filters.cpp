#include "engine/speakers/networks/sinc_filters.h"

#include <cmath>

#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

constexpr double least_low_hz = 50;
constexpr double least_band_hz = 50;

// Returns the function of each float. libtorch would share these few among its threads, and where
// that was its first sine, one start in a hundred got other sines, which moved scores by up to
// 0.02.
at::Tensor each(double (*function)(double), const at::Tensor& x) {
  at::Tensor values =
      x.to(at::kCPU, at::kFloat, /*non_blocking=*/false, /*copy=*/true).contiguous();
  auto* value = values.data_ptr<float>();
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    value[i] = static_cast<float>(function(static_cast<double>(value[i])));
  }
  return values.to(x.device());
}

at::Tensor sines(const at::Tensor& x) {
  return each(std::sin, x);
}

at::Tensor cosines(const at::Tensor& x) {
  return each(std::cos, x);
}

}  // namespace

at::Tensor sinc_filters(const at::Tensor& low_hz, const at::Tensor& band_hz,
                        const at::Tensor& times, const at::Tensor& window) {
  const at::Tensor low = least_low_hz + low_hz.abs();
  const at::Tensor high =
      (low + least_band_hz + band_hz.abs()).clamp(least_low_hz, sample_rate_hz / 2.0);
  const at::Tensor band = high - low;
  const at::Tensor at_low = at::matmul(low, times);
  const at::Tensor at_high = at::matmul(high, times);
  const at::Tensor half = times / 2;
  const at::Tensor cosine = (sines(at_high) - sines(at_low)) / half * window;
  const at::Tensor sine = (cosines(at_low) - cosines(at_high)) / half * window;
  const at::Tensor even = at::cat({cosine, 2 * band, cosine.flip(1)}, 1);
  const at::Tensor odd = at::cat({sine, at::zeros_like(band), -sine.flip(1)}, 1);
  const at::Tensor peak = 2 * band;
  return (at::cat({even, odd}, 0) / at::cat({peak, peak}, 0)).unsqueeze(1).contiguous();
}

}  // namespace engine
