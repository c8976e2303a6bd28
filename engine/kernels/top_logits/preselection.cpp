#include "engine/kernels/top_logits/preselection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace engine::kernels {
namespace {

constexpr int zero = 8;  // what stands for a weight of 0
constexpr int group = 4;

struct Place {
  std::size_t byte = 0;
  int shift = 0;
};

Place place_of(int n, int k, int n_in) {
  const int in_panel = n % panel_width;
  const int panel_groups = n / panel_width * (n_in / group) + k / group;
  const int byte = panel_groups * 2 * panel_width + in_panel / 32 * panel_width +
                   in_panel % 16 * group + k % group;
  return {static_cast<std::size_t>(byte), in_panel % 32 / 16 * 4};
}

// The sums are in double precision: 50,000 outputs are added up.
void take_mean(std::span<const float> weight, int n_out, std::size_t width, float* mean) {
  std::vector<double> sums(width);
  for (std::size_t row = 0; row < weight.size(); row += width) {
    std::transform(sums.begin(), sums.end(), weight.begin() + static_cast<std::ptrdiff_t>(row),
                   sums.begin(), std::plus<>());
  }
  std::transform(sums.begin(), sums.end(), mean,
                 [n_out](double sum) { return static_cast<float>(sum / n_out); });
}

}  // namespace

std::size_t int4_size(int n_out, int n_in) {
  return static_cast<std::size_t>(padded_outputs(n_out)) * static_cast<std::size_t>(n_in) / 2;
}

std::vector<float> pack_int4(std::span<const float> weight, int n_out, int n_in,
                             std::uint8_t* packed, float* scale, float* sum, float* mean) {
  std::fill_n(packed, int4_size(n_out, n_in), static_cast<std::uint8_t>(zero | zero << 4));
  std::fill_n(scale, padded_outputs(n_out), 0.0F);
  std::fill_n(sum, padded_outputs(n_out), 0.0F);
  const auto width = static_cast<std::size_t>(n_in);
  take_mean(weight, n_out, width, mean);
  std::vector<float> row(width);
  std::vector<double> errors(width);
  for (int n = 0; n < n_out; ++n) {
    const auto whole = weight.subspan(static_cast<std::size_t>(n) * width, width);
    std::transform(whole.begin(), whole.end(), mean, row.begin(), std::minus<>());
    float largest = 0;
    for (const float w : row) largest = std::max(largest, std::abs(w));
    if (largest == 0) continue;
    scale[n] = largest / 7;
    int total = 0;
    for (int k = 0; k < n_in; ++k) {
      const float w = row[static_cast<std::size_t>(k)];
      const auto q = static_cast<int>(std::lround(w * 7 / largest));
      const float error = w - scale[n] * static_cast<float>(q);
      errors[static_cast<std::size_t>(k)] += error * error;
      const Place place = place_of(n, k, n_in);
      std::uint8_t& byte = packed[place.byte];
      byte = static_cast<std::uint8_t>((byte & ~(15 << place.shift)) | (q + zero) << place.shift);
      total += q;
    }
    sum[n] = scale[n] * static_cast<float>(total);
  }
  std::vector<float> mean_errors(width);
  std::ranges::transform(errors, mean_errors.begin(),
                         [n_out](double sum) { return static_cast<float>(sum / n_out); });
  return mean_errors;
}

}  // namespace engine::kernels
