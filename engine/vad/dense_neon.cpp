#include <arm_neon.h>

#include <cstddef>

#include "engine/vad/dense_kernel.h"

namespace engine {
namespace {

constexpr int lanes = 4;
constexpr int vectors = dense_panel_width / lanes;  // of a panel

// Multiplies `n_rows` inputs by `n_panels` panels from `first` on, with all sums in registers: 16
// sums hide the latency of a multiply-add, be it 4 rows that share a panel's weights or one row and
// 4 panels.
template <int n_rows, int n_panels>
void multiply(const DensePanels& panels, int first, const DenseRow* rows) {
  const int inputs = panels.inputs;
  const std::size_t panel_size = static_cast<std::size_t>(inputs) * dense_panel_width;
  const float* weight = panels.weight + static_cast<std::size_t>(first) * panel_size;
  const float* in[n_rows];
  float32x4_t sum[n_rows][vectors * n_panels];
#pragma GCC unroll 16
  for (int r = 0; r < n_rows; ++r) {
    in[r] = rows[r].in;
#pragma GCC unroll 16
    for (int v = 0; v < vectors * n_panels; ++v) {
      sum[r][v] = vld1q_f32(panels.bias + first * dense_panel_width + v * lanes);
    }
  }
  for (int i = 0; i < inputs; ++i, weight += dense_panel_width) {
#pragma GCC unroll 16
    for (int p = 0; p < n_panels; ++p) {
      const float* part = weight + static_cast<std::size_t>(p) * panel_size;
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) {
        const float32x4_t factor = vld1q_f32(part + v * lanes);
#pragma GCC unroll 16
        for (int r = 0; r < n_rows; ++r) {
          float32x4_t& to = sum[r][p * vectors + v];
          to = vfmaq_n_f32(to, factor, in[r][i]);
        }
      }
    }
  }
  // This maximum returns the number where the other is NaN.
  const float32x4_t floor = vdupq_n_f32(panels.floor);
#pragma GCC unroll 16
  for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors * n_panels; ++v) {
      float* out = rows[r].out + first * dense_panel_width + v * lanes;
      vst1q_f32(out, vmaxnmq_f32(sum[r][v], floor));
    }
  }
}

}  // namespace

bool dense_runs_here() {
  return true;
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
