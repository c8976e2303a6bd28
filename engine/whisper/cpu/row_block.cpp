#include "engine/whisper/cpu/row_block.h"

#include <algorithm>

namespace engine::cpu {

RowBlock::RowBlock(int n_state, int widest)
    : bytes_(static_cast<std::size_t>(size) * static_cast<std::size_t>(widest)),
      scales_(size),
      zeros_(size),
      halves_(static_cast<std::size_t>(size) * static_cast<std::size_t>(n_state)),
      normal_(static_cast<std::size_t>(n_state)),
      between_(bytes_.size()) {}

kernels::Int8Rows RowBlock::quantize(const float* x, int rows, int n, std::ptrdiff_t stride) {
  for (int row = 0; row < rows; ++row) {
    kernels::quantize(x + row * stride, n, &bytes_[static_cast<std::size_t>(row * n)],
                      &scales_[static_cast<std::size_t>(row)],
                      &zeros_[static_cast<std::size_t>(row)]);
  }
  return quantized();
}

kernels::Int8Rows RowBlock::normalize(const float* x, int rows, int n,
                                      const kernels::LayerNormWeights& norm) {
  for (int row = 0; row < rows; ++row) {
    kernels::layer_norm(x + static_cast<std::ptrdiff_t>(row) * n, norm, n, normal_.data());
    kernels::quantize(normal_.data(), n, &bytes_[static_cast<std::size_t>(row * n)],
                      &scales_[static_cast<std::size_t>(row)],
                      &zeros_[static_cast<std::size_t>(row)]);
  }
  return quantized();
}

kernels::Bfloat16Rows RowBlock::round(const float* x, int rows, int n) {
  std::transform(x, x + static_cast<std::ptrdiff_t>(rows) * n, halves_.begin(),
                 kernels::to_bfloat16);
  return {halves_.data(), n};
}

kernels::Bfloat16Rows RowBlock::normalize_and_round(const float* x, int rows, int n,
                                                    const kernels::LayerNormWeights& norm) {
  for (int row = 0; row < rows; ++row) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * n;
    kernels::layer_norm(x + at, norm, n, normal_.data());
    std::transform(normal_.begin(), normal_.end(), halves_.begin() + at, kernels::to_bfloat16);
  }
  return {halves_.data(), n};
}

}  // namespace engine::cpu
