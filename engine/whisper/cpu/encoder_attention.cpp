#include "engine/whisper/cpu/encoder_attention.h"

#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

EncoderAttention::EncoderAttention(MatrixType type, kernels::Isa isa, int n_head, int n_ctx,
                                   int team_size)
    : width_(n_head * kernels::head_dim) {
  if (is_exact(type)) {
    floats_.resize(area(n_ctx, 3 * width_));
    exact_.emplace(isa, n_head, n_ctx, team_size);
  } else {
    halves_.resize(area(n_ctx, 3 * width_));
    rounded_.emplace(isa, n_head, n_ctx, team_size);
  }
}

kernels::Output EncoderAttention::qkv_from(int row) {
  const int width = 3 * width_;
  if (exact_) return {kernels::Store::float32, &floats_[area(row, width)], width};
  return {kernels::Store::bfloat16, &halves_[area(row, width)], width};
}

void EncoderAttention::operator()(const WindowRows& rows, float* out,
                                  const kernels::TeamThread& me) {
  const std::ptrdiff_t width = 3 * width_;
  if (exact_) {
    const auto part = [&](int which) {
      return kernels::Float32AttentionRows{&floats_[area(which, width_)], width, rows.count()};
    };
    (*exact_)(part(0), part(1), part(2), out, me, rows.bias());
  } else {
    const auto part = [&](int which) {
      return kernels::AttentionRows{&halves_[area(which, width_)], width, rows.count()};
    };
    (*rounded_)(part(0), part(1), part(2), out, me, rows.bias());
  }
}

}  // namespace engine::cpu
