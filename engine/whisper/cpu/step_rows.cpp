#include "engine/whisper/cpu/step_rows.h"

#include <array>

namespace engine::cpu {

StepRows::StepRows(int n_state, int widest, kernels::ThreadPool& pool)
    : pool_(pool), own_(static_cast<std::size_t>(pool.size()), RowBlock(n_state, widest)) {
  if (pool.size() == 1) return;
  shared_.emplace_back(n_state, widest);
  for (int part = 1; part < Mlp::most_parts; ++part) shared_.emplace_back(n_state, n_state);
}

bool StepRows::shares(int rows, const Matrix& weight) const {
  return rows >= least_shared && pool_.size() > 1 && !takes_float32(weight);
}

Rows StepRows::prepare(int thread, const float* x, int rows, int n, const Matrix& weight) {
  if (!shares(rows, weight)) return own(thread).prepare(x, {0, rows}, n, n, weight);
  const kernels::Span some = kernels::share(rows, thread, pool_.size());
  const Rows all = shared_.front().prepare(x, some, n, n, weight);
  pool_.barrier();
  return all;
}

Rows StepRows::normalize(int thread, const float* x, int rows, int n,
                         const kernels::LayerNormWeights& norm, const Matrix& weight) {
  if (!shares(rows, weight)) return own(thread).normalize(x, {0, rows}, n, norm, weight);
  const kernels::Span some = kernels::share(rows, thread, pool_.size());
  const Rows all = shared_.front().normalize(x, some, n, norm, weight);
  pool_.barrier();
  return all;
}

void StepRows::add_products(int thread, const kernels::Kernels& kernels, const float* x, int rows,
                            int width, const std::vector<Matrix>& parts, kernels::Panels panels,
                            float* out, std::ptrdiff_t stride) {
  if (!shares(rows, parts.front())) {
    own(thread).add_products(kernels, x, rows, width, parts, panels, out, stride);
    return;
  }
  const kernels::Span some = kernels::share(rows, thread, pool_.size());
  const int part_width = width / static_cast<int>(parts.size());
  std::array<Rows, Mlp::most_parts> inputs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    inputs[i] =
        shared_[i].prepare(x + static_cast<int>(i) * part_width, some, part_width, width, parts[i]);
  }
  pool_.barrier();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    multiply(kernels, inputs[i], rows, parts[i], panels, {kernels::Store::add, out, stride});
  }
}

}  // namespace engine::cpu
