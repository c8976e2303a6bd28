#include "engine/vad/dense.h"

#include <immintrin.h>

#include <cstddef>
#include <limits>

namespace engine {
namespace {

constexpr int lanes = 8;
constexpr int panel_width = 2 * lanes;
constexpr int row_group = 4;
constexpr int panel_group = 4;

struct Panels {
  const float* weight;  // [panel][input][panel_width]
  const float* bias;    // [panel][panel_width]
  int inputs;
  float floor;
};

// Multiplies `n_rows` inputs by `n_panels` panels from `first` on, with all sums in registers: 8
// sums hide the latency of a multiply-add, be it 4 rows that share a panel's weights or one row and
// 4 panels.
template <int n_rows, int n_panels>
[[gnu::target("avx2,fma")]] void multiply(const Panels& panels, int first, const DenseRow* rows) {
  const int inputs = panels.inputs;
  const std::size_t panel_size = static_cast<std::size_t>(inputs) * panel_width;
  const float* weight = panels.weight + static_cast<std::size_t>(first) * panel_size;
  const float* in[n_rows];
  __m256 sum[n_rows][2 * n_panels];
#pragma GCC unroll 8
  for (int r = 0; r < n_rows; ++r) {
    in[r] = rows[r].in;
#pragma GCC unroll 8
    for (int v = 0; v < 2 * n_panels; ++v) {
      sum[r][v] = _mm256_loadu_ps(panels.bias + first * panel_width + v * lanes);
    }
  }
  for (int i = 0; i < inputs; ++i, weight += panel_width) {
#pragma GCC unroll 8
    for (int p = 0; p < n_panels; ++p) {
      const float* part = weight + static_cast<std::size_t>(p) * panel_size;
      const __m256 low = _mm256_loadu_ps(part);
      const __m256 high = _mm256_loadu_ps(part + lanes);
#pragma GCC unroll 8
      for (int r = 0; r < n_rows; ++r) {
        const __m256 x = _mm256_broadcast_ss(in[r] + i);
        sum[r][2 * p] = _mm256_fmadd_ps(low, x, sum[r][2 * p]);
        sum[r][2 * p + 1] = _mm256_fmadd_ps(high, x, sum[r][2 * p + 1]);
      }
    }
  }
  // The floor is the second operand, which the maximum returns where the other is NaN.
  const __m256 floor = _mm256_set1_ps(panels.floor);
#pragma GCC unroll 8
  for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < 2 * n_panels; ++v) {
      float* out = rows[r].out + first * panel_width + v * lanes;
      _mm256_storeu_ps(out, _mm256_max_ps(sum[r][v], floor));
    }
  }
}

}  // namespace

Dense::Dense(int inputs, std::span<const float> weight, std::span<const float> bias)
    : inputs_(inputs) {
  const std::size_t n_in = static_cast<std::size_t>(inputs);
  const std::size_t n_out = weight.size() / n_in;
  const std::size_t n_panels = (n_out + panel_width - 1) / panel_width;
  bias_.assign(n_panels * panel_width, 0.0f);
  weight_.assign(n_panels * panel_width * n_in, 0.0f);
  for (std::size_t o = 0; o < n_out; ++o) {
    if (!bias.empty()) bias_[o] = bias[o];
    float* lane = weight_.data() + o / panel_width * panel_width * n_in + o % panel_width;
    for (std::size_t i = 0; i < n_in; ++i) lane[i * panel_width] = weight[o * n_in + i];
  }
}

void Dense::apply_relu(std::span<const DenseRow> rows) const {
  apply(rows, 0.0f);
}

void Dense::apply(std::span<const DenseRow> rows) const {
  apply(rows, std::numeric_limits<float>::lowest());
}

void Dense::apply(std::span<const DenseRow> rows, float floor) const {
  const Panels panels{weight_.data(), bias_.data(), inputs_, floor};
  const int n_panels = outputs() / panel_width;
  for (; rows.size() >= row_group; rows = rows.subspan(row_group)) {
    for (int p = 0; p < n_panels; ++p) multiply<row_group, 1>(panels, p, rows.data());
  }
  for (const DenseRow& row : rows) {
    int p = 0;
    for (; p + panel_group <= n_panels; p += panel_group) multiply<1, panel_group>(panels, p, &row);
    for (; p < n_panels; ++p) multiply<1, 1>(panels, p, &row);
  }
}

}  // namespace engine
