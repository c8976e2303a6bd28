#include "engine/speakers/networks/sinc_filters.h"

#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

constexpr double least_low_hz = 50;
constexpr double least_band_hz = 50;

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
  const at::Tensor cosine = (at_high.sin() - at_low.sin()) / half * window;
  const at::Tensor sine = (at_low.cos() - at_high.cos()) / half * window;
  const at::Tensor even = at::cat({cosine, 2 * band, cosine.flip(1)}, 1);
  const at::Tensor odd = at::cat({sine, at::zeros_like(band), -sine.flip(1)}, 1);
  const at::Tensor peak = 2 * band;
  return (at::cat({even, odd}, 0) / at::cat({peak, peak}, 0)).unsqueeze(1).contiguous();
}

}  // namespace engine
