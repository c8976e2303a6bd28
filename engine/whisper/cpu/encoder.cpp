#include "engine/whisper/cpu/encoder.h"

#include <algorithm>

#include "engine/kernels/thread_pool.h"

namespace engine::cpu {

using kernels::Store;

Encoder::Encoder(const PackedWhisper& weights, kernels::Isa isa, int team_size)
    : weights_(weights),
      kernels_(kernels::kernels_for(isa)),
      n_ctx_(weights.dims.n_audio_ctx),
      n_state_(weights.dims.n_audio_state),
      mel_(2 * n_ctx_, weights.dims.n_mels, weights.conv1),
      wide_(2 * n_ctx_, n_state_, weights.conv2),
      x_(area(n_ctx_, n_state_)),
      attended_(x_.size()),
      attention_(weights.type, isa, weights.dims.n_audio_head, n_ctx_, team_size),
      blocks_(static_cast<std::size_t>(team_size), RowBlock(n_state_, 4 * n_state_)) {}

const float* Encoder::operator()(const float* mel, const kernels::TeamThread& me) {
  convolve(me, mel);
  for (int layer = 0; layer < weights_.dims.n_audio_layer; ++layer) {
    project(me, layer);
    me.team.barrier();
    attention_(attended_.data(), me);
    me.team.barrier();
    finish_block(me, layer);
  }
  normalize(me);
  return attended_.data();
}

kernels::Span Encoder::rows_of(const kernels::TeamThread& me) const {
  return RowBlock::share(n_ctx_, me.index, me.team.size());
}

RowBlock& Encoder::block_of(const kernels::TeamThread& me) {
  return blocks_[static_cast<std::size_t>(me.index)];
}

void Encoder::convolve(const kernels::TeamThread& me, const float* mel) {
  const int n_frames = 2 * n_ctx_;
  const kernels::Span frames = kernels::share(n_frames, me.index, me.team.size());
  for (int frame = frames.begin; frame < frames.end; ++frame) {
    mel_.set(frame, mel + frame, n_frames);
  }
  me.team.barrier();
  multiply(kernels_, mel_.around(frames.begin, 1), frames.end - frames.begin, weights_.conv1,
           all_panels(weights_.conv1), wide_.gelu_from(frames.begin));
  me.team.barrier();
  const kernels::Span rows = rows_of(me);
  for (int row = rows.begin; row < rows.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, rows.end - row);
    float* x = &x_[area(row, n_state_)];
    multiply(kernels_, wide_.around(2 * row, 2), count, weights_.conv2, all_panels(weights_.conv2),
             {gelu_behind(weights_.conv2), x, n_state_});
    kernels::add(x, weights_.audio_positions + area(row, n_state_), count * n_state_);
  }
}

void Encoder::project(const kernels::TeamThread& me, int layer) {
  RowBlock& rows = block_of(me);
  const SelfAttention& attention = weights_.encoder[static_cast<std::size_t>(layer)].attention;
  const kernels::Span span = rows_of(me);
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, span.end - row);
    const auto input = rows.normalize(&x_[area(row, n_state_)], {0, count}, n_state_,
                                      attention.norm, attention.qkv);
    multiply(kernels_, input, count, attention.qkv, all_panels(attention.qkv),
             attention_.qkv_from(row));
  }
}

void Encoder::finish_block(const kernels::TeamThread& me, int layer) {
  RowBlock& rows = block_of(me);
  const auto& [attention, mlp] = weights_.encoder[static_cast<std::size_t>(layer)];
  const kernels::Span span = rows_of(me);
  const int wide = 4 * n_state_;
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, span.end - row);
    float* x = &x_[area(row, n_state_)];
    const kernels::Output residual{Store::add, x, n_state_};
    const auto attended = rows.prepare(&attended_[area(row, n_state_)], {0, count}, n_state_,
                                       n_state_, attention.out);
    multiply(kernels_, attended, count, attention.out, all_panels(attention.out), residual);
    const auto normal = rows.normalize(x, {0, count}, n_state_, mlp.norm, mlp.fc1);
    multiply(kernels_, normal, count, mlp.fc1, all_panels(mlp.fc1),
             {gelu_behind(mlp.fc1), rows.between(), wide});
    rows.add_products(kernels_, rows.between(), count, wide, mlp.fc2, all_panels(mlp.fc2.front()),
                      x, n_state_);
  }
}

void Encoder::normalize(const kernels::TeamThread& me) {
  const kernels::Span span = rows_of(me);
  for (int row = span.begin; row < span.end; ++row) {
    kernels::layer_norm(&x_[area(row, n_state_)], weights_.ln_post, n_state_,
                        &attended_[area(row, n_state_)]);
  }
}

}  // namespace engine::cpu
