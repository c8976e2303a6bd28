#include "engine/whisper/cpu/encoder.h"

#include <algorithm>

namespace engine::cpu {
namespace {

using kernels::Store;

kernels::Panels all_panels(int n_out) {
  return {0, n_out / kernels::panel_width};
}

}  // namespace

Encoder::Encoder(const PackedWhisper& weights, kernels::Isa isa, kernels::ThreadPool& pool)
    : weights_(weights),
      kernels_(kernels::kernels_for(isa)),
      pool_(pool),
      n_ctx_(weights.dims.n_audio_ctx),
      n_state_(weights.dims.n_audio_state),
      mel_(area(2 * n_ctx_ + 2, weights.dims.n_mels)),
      wide_(area(2 * n_ctx_ + 2, n_state_)),
      x_(area(n_ctx_, n_state_)),
      qkv_(area(n_ctx_, 3 * n_state_)),
      attended_(x_.size()),
      attention_(isa, weights.dims.n_audio_head, n_ctx_, pool.size()),
      blocks_(static_cast<std::size_t>(pool.size()), RowBlock(n_state_, 4 * n_state_)) {}

const float* Encoder::operator()(const float* mel) {
  pool_.run([&](int thread) {
    convolve(thread, mel);
    for (int layer = 0; layer < weights_.dims.n_audio_layer; ++layer) {
      project(thread, layer);
      pool_.barrier();
      attend(thread);
      pool_.barrier();
      finish_block(thread, layer);
    }
    normalize(thread);
  });
  return attended_.data();
}

kernels::Span Encoder::rows_of(int thread) const {
  return kernels::share(n_ctx_, thread, pool_.size(), RowBlock::size);
}

void Encoder::convolve(int thread, const float* mel) {
  const int n_frames = 2 * n_ctx_;
  const int n_mels = weights_.dims.n_mels;
  const kernels::Span frames = kernels::share(n_frames, thread, pool_.size());
  for (int frame = frames.begin; frame < frames.end; ++frame) {
    kernels::Bfloat16* row = &mel_[area(frame + 1, n_mels)];
    for (int i = 0; i < n_mels; ++i) row[i] = kernels::to_bfloat16(mel[i * n_frames + frame]);
  }
  pool_.barrier();
  kernels_.gemm_bfloat16(
      {&mel_[area(frames.begin, n_mels)], n_mels}, frames.end - frames.begin, weights_.conv1,
      all_panels(n_state_),
      {Store::gelu_bfloat16, &wide_[area(frames.begin + 1, n_state_)], n_state_});
  pool_.barrier();
  const kernels::Span rows = rows_of(thread);
  for (int row = rows.begin; row < rows.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, rows.end - row);
    float* x = &x_[area(row, n_state_)];
    kernels_.gemm_bfloat16({&wide_[area(2 * row, n_state_)], 2 * n_state_}, count, weights_.conv2,
                           all_panels(n_state_), {Store::gelu, x, n_state_});
    kernels::add(x, weights_.audio_positions + area(row, n_state_), count * n_state_);
  }
}

void Encoder::project(int thread, int layer) {
  RowBlock& rows = blocks_[static_cast<std::size_t>(thread)];
  const int width = 3 * n_state_;
  const kernels::Span span = rows_of(thread);
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, span.end - row);
    const float* x = &x_[area(row, n_state_)];
    const kernels::Output qkv{Store::bfloat16, &qkv_[area(row, width)], width};
    if (layer == 0) {
      const WideAttention& attention = weights_.first_attention;
      const auto input = rows.normalize_and_round(x, count, n_state_, attention.norm);
      kernels_.gemm_bfloat16(input, count, attention.qkv, all_panels(width), qkv);
    } else {
      const SelfAttention& attention =
          weights_.audio_attention[static_cast<std::size_t>(layer - 1)];
      const auto input = rows.normalize(x, count, n_state_, attention.norm);
      kernels_.gemm_int8(input, count, attention.qkv, all_panels(width), qkv);
    }
  }
}

void Encoder::attend(int thread) {
  const auto rows = [&](int which) {
    return kernels::AttentionRows{&qkv_[area(which, n_state_)], 3 * n_state_, n_ctx_};
  };
  attention_(rows(0), rows(1), rows(2), attended_.data(), pool_, thread);
}

void Encoder::finish_block(int thread, int layer) {
  RowBlock& rows = blocks_[static_cast<std::size_t>(thread)];
  const Mlp& mlp = weights_.audio_mlp[static_cast<std::size_t>(layer)];
  const kernels::Span span = rows_of(thread);
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, span.end - row);
    float* x = &x_[area(row, n_state_)];
    const float* attended = &attended_[area(row, n_state_)];
    const kernels::Output residual{Store::add, x, n_state_};
    if (layer == 0) {
      const auto input = rows.round(attended, count, n_state_);
      kernels_.gemm_bfloat16(input, count, weights_.first_attention.out, all_panels(n_state_),
                             residual);
    } else {
      const auto input = rows.quantize(attended, count, n_state_, n_state_);
      kernels_.gemm_int8(input, count,
                         weights_.audio_attention[static_cast<std::size_t>(layer - 1)].out,
                         all_panels(n_state_), residual);
    }
    const auto normal = rows.normalize(x, count, n_state_, mlp.norm);
    kernels_.gemm_int8(normal, count, mlp.fc1, all_panels(4 * n_state_),
                       {Store::gelu, rows.between(), 4 * n_state_});
    const auto hidden = rows.quantize(rows.between(), count, 4 * n_state_, 4 * n_state_);
    kernels_.gemm_int8(hidden, count, mlp.fc2, all_panels(n_state_), residual);
  }
}

void Encoder::normalize(int thread) {
  const kernels::Span span = rows_of(thread);
  for (int row = span.begin; row < span.end; ++row) {
    kernels::layer_norm(&x_[area(row, n_state_)], weights_.ln_post, n_state_,
                        &attended_[area(row, n_state_)]);
  }
}

}  // namespace engine::cpu
