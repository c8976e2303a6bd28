#include "engine/kernels/gemm/packed_matrix.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/bfloat16.h"

namespace engine::kernels {
namespace {

// Returns where the kernels look for w[n][k], `group` neighbouring inputs of an output lying
// together.
std::size_t packed_index(int n, int k, int n_in, int group) {
  const int panel = n / panel_width * panel_width * n_in;
  return static_cast<std::size_t>(panel) +
         static_cast<std::size_t>((k / group * panel_width + n % panel_width) * group + k % group);
}

std::size_t packed_size(int n_out, int n_in) {
  return static_cast<std::size_t>(padded_outputs(n_out)) * static_cast<std::size_t>(n_in);
}

}  // namespace

int padded_outputs(int n_out) {
  return (n_out + panel_width - 1) / panel_width * panel_width;
}

void pack_int8(std::span<const float> weight, int n_out, int n_in, std::int8_t* packed,
               float* scale, float* sum) {
  std::fill_n(packed, packed_size(n_out, n_in), std::int8_t{0});
  std::fill_n(scale, padded_outputs(n_out), 0.0F);
  std::fill_n(sum, padded_outputs(n_out), 0.0F);
  const auto width = static_cast<std::size_t>(n_in);
  for (int n = 0; n < n_out; ++n) {
    const auto row = weight.subspan(static_cast<std::size_t>(n) * width, width);
    float largest = 0;
    for (const float w : row) largest = std::max(largest, std::abs(w));
    const float inverse = 127 / largest;
    if (!std::isfinite(inverse)) continue;  // all are 0, or next to it
    int total = 0;
    for (int k = 0; k < n_in; ++k) {
      const float scaled = row[static_cast<std::size_t>(k)] * inverse;
      const int q = static_cast<int>(scaled + (scaled < 0 ? -0.5F : 0.5F));
      packed[packed_index(n, k, n_in, 4)] = static_cast<std::int8_t>(q);
      total += q;
    }
    scale[n] = largest / 127;
    sum[n] = scale[n] * static_cast<float>(total);
  }
}

void pack_bfloat16(std::span<const float> weight, int n_out, int n_in, std::uint16_t* packed) {
  std::fill_n(packed, packed_size(n_out, n_in), std::uint16_t{0});
  std::size_t at = 0;
  for (int n = 0; n < n_out; ++n) {
    for (int k = 0; k < n_in; ++k) packed[packed_index(n, k, n_in, 2)] = to_bfloat16(weight[at++]);
  }
}

void pack_float32(std::span<const float> weight, int n_out, int n_in, float* packed) {
  std::fill_n(packed, packed_size(n_out, n_in), 0.0F);
  std::size_t at = 0;
  for (int n = 0; n < n_out; ++n) {
    for (int k = 0; k < n_in; ++k) packed[packed_index(n, k, n_in, 1)] = weight[at++];
  }
}

void pack_float16(std::span<const float> weight, int n_out, int n_in, Float16* packed) {
  std::fill_n(packed, packed_size(n_out, n_in), Float16{0});
  std::size_t at = 0;
  for (int n = 0; n < n_out; ++n) {
    for (int k = 0; k < n_in; ++k) packed[packed_index(n, k, n_in, 1)] = to_float16(weight[at++]);
  }
}

}  // namespace engine::kernels
