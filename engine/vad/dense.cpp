#include "engine/vad/dense.h"

#include <cstddef>
#include <limits>

#include "engine/vad/dense_kernel.h"

namespace engine {
namespace {

constexpr int panel_width = dense_panel_width;

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

bool Dense::runs_here() {
  return dense_runs_here();
}

void Dense::apply_relu(std::span<const DenseRow> rows) const {
  apply(rows, 0.0f);
}

void Dense::apply(std::span<const DenseRow> rows) const {
  apply(rows, std::numeric_limits<float>::lowest());
}

void Dense::apply(std::span<const DenseRow> rows, float floor) const {
  const DensePanels panels{weight_.data(), bias_.data(), inputs_, floor};
  const int n_panels = outputs() / panel_width;
  for (; rows.size() >= dense_row_group; rows = rows.subspan(dense_row_group)) {
    for (int p = 0; p < n_panels; ++p) multiply_rows(panels, p, rows.data());
  }
  for (const DenseRow& row : rows) {
    int p = 0;
    for (; p + dense_panel_group <= n_panels; p += dense_panel_group) {
      multiply_panels(panels, p, row);
    }
    for (; p < n_panels; ++p) multiply_one(panels, p, row);
  }
}

}  // namespace engine
