#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

RowBlock::RowBlock(int n_state, int widest)
    : bytes_(area(size, widest)),
      scales_(size),
      zeros_(size),
      halves_(bytes_.size()),
      normal_(area(size, n_state)),
      between_(bytes_.size()) {}

Rows RowBlock::prepare(const float* x, int rows, int n, std::ptrdiff_t stride,
                       const Matrix& weight) {
  if (takes_float32(weight)) return kernels::Float32Rows{x, stride};
  if (std::holds_alternative<kernels::Bfloat16Matrix>(weight)) {
    for (int row = 0; row < rows; ++row)
      kernels::round(x + row * stride, n, &halves_[area(row, n)]);
    return kernels::Bfloat16Rows{halves_.data(), n};
  }
  for (int row = 0; row < rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    kernels::quantize(x + row * stride, n, &bytes_[area(row, n)], &scales_[at], &zeros_[at]);
  }
  return kernels::Int8Rows{bytes_.data(), scales_.data(), zeros_.data()};
}

Rows RowBlock::normalize(const float* x, int rows, int n, const kernels::LayerNormWeights& norm,
                         const Matrix& weight) {
  for (int row = 0; row < rows; ++row) {
    kernels::layer_norm(x + area(row, n), norm, n, &normal_[area(row, n)]);
  }
  return prepare(normal_.data(), rows, n, n, weight);
}

}  // namespace engine::cpu
