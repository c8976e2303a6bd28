#pragma once

#include <memory>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_team.h"
#include "engine/whisper/cpu/encoder_attention.h"
#include "engine/whisper/cpu/frames.h"
#include "engine/whisper/cpu/packed_whisper.h"
#include "engine/whisper/cpu/row_block.h"
#include "engine/whisper/cpu/window_rows.h"

namespace engine::cpu {

// Whisper's encoder (openai/whisper model.py `AudioEncoder`): rows of activations are brought to
// the weight's type as they reach a linear layer, between them they are float32. What needs one row
// alone is done for a block of rows that stays in the second cache; only the attention looks at all
// of them. It holds the working memory of one window, and serves one team of threads at a time.
class Encoder {
 public:
  // Teams have at most `team_size` threads.
  Encoder(const PackedWhisper& weights, kernels::Isa isa, int team_size);

  // All threads of a team call it. A thread may read the rows that RowBlock::share gives it when it
  // returns, and those of the others behind a barrier.
  //   mel      [n_mels, 2·n_audio_ctx] float32
  //   rows     those of n_audio_ctx positions to compute
  //   returns  [rows.count(), n_audio_state], valid until the next call
  const float* operator()(const float* mel, const WindowRows& rows, const kernels::TeamThread& me);

 private:
  void convolve(const kernels::TeamThread& me, const float* mel, const WindowRows& rows);
  // Computes the second convolution for positions in a row.
  //   x  [count, n_state]
  void convolve_wide(int position, int count, float* x);
  // Computes the input of the first layer for the merged rows of a span.
  void fill_merged(kernels::Span span, const WindowRows& rows);
  // These three compute the rows of one thread.
  void project(const kernels::TeamThread& me, kernels::Span span, int layer);
  void finish_block(const kernels::TeamThread& me, kernels::Span span, int layer);
  void normalize(kernels::Span span);
  RowBlock& block_of(const kernels::TeamThread& me);

  const PackedWhisper& weights_;
  kernels::Kernels kernels_;
  int n_ctx_;
  int n_state_;
  int heads_width_;
  Frames mel_;
  Frames wide_;                             // between the convolutions
  kernels::AlignedVector<float> x_;         // [n_ctx, n_state], the residual stream
  kernels::AlignedVector<float> attended_;  // [n_ctx, n_head·64]
  EncoderAttention attention_;
  std::vector<RowBlock> blocks_;  // by thread of the team
};

}  // namespace engine::cpu
