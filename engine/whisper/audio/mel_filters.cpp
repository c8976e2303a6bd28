#include "engine/whisper/audio/mel_filters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

constexpr int n_bins = n_fft / 2 + 1;
constexpr double hz_per_bin = 40.0;
constexpr double top_mel = 45.245640471924965;  // 8 kHz

// The scale is linear up to 1 kHz (15 mel), then 27 mel for each factor of 6.4.
double mel_to_hz(double mel) {
  if (mel < 15.0) return 200.0 / 3 * mel;
  return 1000.0 * std::exp(std::log(6.4) / 27.0 * (mel - 15.0));
}

// Returns the corners of the triangles: filter i rises from corner i to i+1 and falls to i+2.
std::vector<double> corners_hz(int n_mels) {
  std::vector<double> corners;
  const double step = top_mel / (n_mels + 1);
  for (int i = 0; i < n_mels + 1; ++i) corners.push_back(mel_to_hz(i * step));
  corners.push_back(mel_to_hz(top_mel));
  return corners;
}

}  // namespace

std::vector<MelFilter> mel_filters(int n_mels) {
  const std::vector<double> corner = corners_hz(n_mels);
  std::vector<MelFilter> filters;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_mels); ++i) {
    const double area = 2.0 / (corner[i + 2] - corner[i]);
    MelFilter filter;
    for (int bin = 0; bin < n_bins; ++bin) {
      const double hz = bin * hz_per_bin;
      const double rise = (hz - corner[i]) / (corner[i + 1] - corner[i]);
      const double fall = (corner[i + 2] - hz) / (corner[i + 2] - corner[i + 1]);
      // The height is rounded to float before it is scaled by the area, as in the published
      // filters.
      const auto height = static_cast<float>(std::min(rise, fall));
      if (height <= 0) continue;
      if (filter.weights.empty()) filter.first_bin = bin;
      filter.weights.push_back(static_cast<float>(height * area));
    }
    filters.push_back(std::move(filter));
  }
  return filters;
}

}  // namespace engine
