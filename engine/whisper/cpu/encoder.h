#pragma once

#include <memory>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/whisper/cpu/encoder_attention.h"
#include "engine/whisper/cpu/frames.h"
#include "engine/whisper/cpu/packed_whisper.h"
#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

// Whisper's encoder (openai/whisper model.py `AudioEncoder`): rows of activations are brought to
// the weight's type as they reach a linear layer, between them they are float32. What needs one row
// alone is done for a block of rows that stays in the second cache; only the attention looks at all
// of them. It serves one caller at a time.
class Encoder {
 public:
  Encoder(const PackedWhisper& weights, kernels::Isa isa, kernels::ThreadPool& pool);

  // mel      [n_mels, 2·n_audio_ctx] float32
  // returns  [n_audio_ctx, n_audio_state], valid until the next call
  const float* operator()(const float* mel);

 private:
  void convolve(int thread, const float* mel);
  // All threads call each of the functions below.
  void project(int thread, int layer);
  void attend(int thread);
  void finish_block(int thread, int layer);
  void normalize(int thread);
  kernels::Span rows_of(int thread) const;

  const PackedWhisper& weights_;
  kernels::Kernels kernels_;
  kernels::ThreadPool& pool_;
  int n_ctx_;
  int n_state_;
  Frames mel_;
  Frames wide_;                             // between the convolutions
  kernels::AlignedVector<float> x_;         // [n_ctx, n_state], the residual stream
  kernels::AlignedVector<float> attended_;  // [n_ctx, n_state]
  EncoderAttention attention_;
  std::vector<RowBlock> blocks_;  // by thread
};

}  // namespace engine::cpu
