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
      heads_width_(audio_heads_width(weights.dims)),
      mel_(2 * n_ctx_, weights.dims.n_mels, weights.conv1),
      wide_(2 * n_ctx_, n_state_, weights.conv2),
      x_(area(n_ctx_, n_state_)),
      attended_(area(n_ctx_, heads_width_)),
      attention_(weights.type, isa, weights.dims.n_audio_head, n_ctx_, team_size),
      blocks_(static_cast<std::size_t>(team_size),
              RowBlock(n_state_, std::max(4 * n_state_, heads_width_))) {}

const float* Encoder::operator()(const float* mel, const WindowRows& rows,
                                 const kernels::TeamThread& me) {
  convolve(me, mel, rows);
  const kernels::Span span = RowBlock::share(rows.count(), me.index, me.team.size());
  for (int layer = 0; layer < weights_.dims.n_audio_layer; ++layer) {
    project(me, span, layer);
    me.team.barrier();
    attention_(rows, attended_.data(), me);
    me.team.barrier();
    finish_block(me, span, layer);
  }
  normalize(span);
  return x_.data();
}

RowBlock& Encoder::block_of(const kernels::TeamThread& me) {
  return blocks_[static_cast<std::size_t>(me.index)];
}

// The convolutions of a short window end one position after the single rows. All merged positions
// have the same value, since all of them read zeros.
void Encoder::convolve(const kernels::TeamThread& me, const float* mel, const WindowRows& rows) {
  const int n_frames = 2 * n_ctx_;
  const int needed = std::min(n_frames, 2 * (rows.single() + 1));
  const auto share = [&](int count) { return kernels::share(count, me.index, me.team.size()); };
  const kernels::Span read = share(std::min(n_frames, needed + 1));
  for (int frame = read.begin; frame < read.end; ++frame) {
    mel_.set(frame, mel + frame, n_frames);
  }
  me.team.barrier();
  const kernels::Span frames = share(needed);
  multiply(kernels_, mel_.around(frames.begin, 1), frames.end - frames.begin, weights_.conv1,
           all_panels(weights_.conv1), wide_.gelu_from(frames.begin));
  me.team.barrier();
  const kernels::Span span = RowBlock::share(rows.count(), me.index, me.team.size());
  const int end = std::min(span.end, rows.single());
  for (int row = span.begin; row < end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, end - row);
    float* x = &x_[area(row, n_state_)];
    convolve_wide(row, count, x);
    kernels::add(x, weights_.audio_positions + area(row, n_state_), count * n_state_);
  }
  fill_merged({std::max(span.begin, rows.single()), span.end}, rows);
}

void Encoder::convolve_wide(int position, int count, float* x) {
  multiply(kernels_, wide_.around(2 * position, 2), count, weights_.conv2,
           all_panels(weights_.conv2), {gelu_behind(weights_.conv2), x, n_state_});
}

void Encoder::fill_merged(kernels::Span span, const WindowRows& rows) {
  if (span.begin >= span.end) return;
  float* first = &x_[area(span.begin, n_state_)];
  convolve_wide(rows.single(), 1, first);
  for (int row = span.begin + 1; row < span.end; ++row) {
    std::copy_n(first, n_state_, &x_[area(row, n_state_)]);
  }
  for (int row = span.begin; row < span.end; ++row) {
    kernels::add(&x_[area(row, n_state_)],
                 weights_.audio_positions + area(rows.position(row), n_state_), n_state_);
  }
}

void Encoder::project(const kernels::TeamThread& me, kernels::Span span, int layer) {
  RowBlock& rows = block_of(me);
  const SelfAttention& attention = weights_.encoder[static_cast<std::size_t>(layer)].attention;
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, span.end - row);
    const auto input = rows.normalize(&x_[area(row, n_state_)], {0, count}, n_state_,
                                      attention.norm, attention.qkv);
    multiply(kernels_, input, count, attention.qkv, all_panels(attention.qkv),
             attention_.qkv_from(row));
  }
}

void Encoder::finish_block(const kernels::TeamThread& me, kernels::Span span, int layer) {
  RowBlock& rows = block_of(me);
  const auto& [attention, mlp] = weights_.encoder[static_cast<std::size_t>(layer)];
  const int wide = 4 * n_state_;
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    const int count = std::min(RowBlock::size, span.end - row);
    float* x = &x_[area(row, n_state_)];
    const kernels::Output residual{Store::add, x, n_state_};
    const auto attended = rows.prepare(&attended_[area(row, heads_width_)], {0, count},
                                       heads_width_, heads_width_, attention.out);
    multiply(kernels_, attended, count, attention.out, all_panels(attention.out), residual);
    const auto normal = rows.normalize(x, {0, count}, n_state_, mlp.norm, mlp.fc1);
    multiply(kernels_, normal, count, mlp.fc1, all_panels(mlp.fc1),
             {gelu_behind(mlp.fc1), rows.between(), wide});
    rows.add_products(kernels_, rows.between(), count, wide, mlp.fc2, all_panels(mlp.fc2.front()),
                      x, n_state_);
  }
}

void Encoder::normalize(kernels::Span span) {
  for (int row = span.begin; row < span.end; ++row) {
    float* x = &x_[area(row, n_state_)];
    kernels::layer_norm(x, weights_.ln_post, n_state_, x);
  }
}

}  // namespace engine::cpu
