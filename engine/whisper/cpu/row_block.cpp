#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

RowBlock::RowBlock(int n_state, int widest)
    : bytes_(area(size, widest)),
      scales_(size),
      zeros_(size),
      halves_(bytes_.size()),
      normal_(area(size, n_state)),
      between_(bytes_.size()) {}

kernels::Span RowBlock::share(int count, int index, int threads) {
  return kernels::share(count, index, threads, tile);
}

Rows RowBlock::prepare(const float* x, kernels::Span rows, int n, std::ptrdiff_t stride,
                       const Matrix& weight) {
  if (takes_float32(weight)) return kernels::Float32Rows{x, stride};
  if (std::holds_alternative<kernels::Bfloat16Matrix>(weight)) {
    for (int row = rows.begin; row < rows.end; ++row) {
      kernels::round(x + row * stride, n, &halves_[area(row, n)]);
    }
    return kernels::Bfloat16Rows{halves_.data(), n};
  }
  for (int row = rows.begin; row < rows.end; ++row) {
    const auto at = static_cast<std::size_t>(row);
    kernels::quantize(x + row * stride, n, &bytes_[area(row, n)], &scales_[at], &zeros_[at]);
  }
  return kernels::Int8Rows{bytes_.data(), scales_.data(), zeros_.data()};
}

Rows RowBlock::normalize(const float* x, kernels::Span rows, int n,
                         const kernels::LayerNormWeights& norm, const Matrix& weight) {
  for (int row = rows.begin; row < rows.end; ++row) {
    kernels::layer_norm(x + area(row, n), norm, n, &normal_[area(row, n)]);
  }
  return prepare(normal_.data(), rows, n, n, weight);
}

void RowBlock::add_products(const kernels::Kernels& kernels, const float* x, int rows, int width,
                            const std::vector<Matrix>& parts, kernels::Panels panels, float* out,
                            std::ptrdiff_t stride) {
  const int part_width = width / static_cast<int>(parts.size());
  for (const Matrix& part : parts) {
    const Rows inputs = prepare(x, {0, rows}, part_width, width, part);
    multiply(kernels, inputs, rows, part, panels, {kernels::Store::add, out, stride});
    x += part_width;
  }
}

}  // namespace engine::cpu
