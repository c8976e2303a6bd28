#include <immintrin.h>

#include <cstddef>

#include "engine/vad/dense_kernel.h"

namespace engine {
namespace {

constexpr int lanes = 8;

// Multiplies `n_rows` inputs by `n_panels` panels from `first` on, with all sums in registers: 8
// sums hide the latency of a multiply-add, be it 4 rows that share a panel's weights or one row and
// 4 panels.
template <int n_rows, int n_panels>
[[gnu::target("avx2,fma")]] void multiply(const DensePanels& panels, int first,
                                          const DenseRow* rows) {
  const int inputs = panels.inputs;
  const std::size_t panel_size = static_cast<std::size_t>(inputs) * dense_panel_width;
  const float* weight = panels.weight + static_cast<std::size_t>(first) * panel_size;
  const float* in[n_rows];
  __m256 sum[n_rows][2 * n_panels];
#pragma GCC unroll 8
  for (int r = 0; r < n_rows; ++r) {
    in[r] = rows[r].in;
#pragma GCC unroll 8
    for (int v = 0; v < 2 * n_panels; ++v) {
      sum[r][v] = _mm256_loadu_ps(panels.bias + first * dense_panel_width + v * lanes);
    }
  }
  for (int i = 0; i < inputs; ++i, weight += dense_panel_width) {
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
      float* out = rows[r].out + first * dense_panel_width + v * lanes;
      _mm256_storeu_ps(out, _mm256_max_ps(sum[r][v], floor));
    }
  }
}

}  // namespace

bool dense_runs_here() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

void multiply_rows(const DensePanels& panels, int panel, const DenseRow* rows) {
  multiply<dense_row_group, 1>(panels, panel, rows);
}

void multiply_panels(const DensePanels& panels, int panel, const DenseRow& row) {
  multiply<1, dense_panel_group>(panels, panel, &row);
}

void multiply_one(const DensePanels& panels, int panel, const DenseRow& row) {
  multiply<1, 1>(panels, panel, &row);
}

}  // namespace engine
