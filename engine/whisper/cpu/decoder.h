#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/decoder_attention/decoder_attention.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/whisper/cpu/logits.h"
#include "engine/whisper/cpu/packed_whisper.h"
#include "engine/whisper/cpu/row_block.h"
#include "engine/whisper/cpu/step_rows.h"
#include "engine/whisper/cpu/window_rows.h"

namespace engine::cpu {

// One token of one sequence on its way through the decoder.
struct DecoderRow {
  int token = 0;
  int position = 0;
  kernels::KvStore* tokens = nullptr;  // its sequence's; receives this position
  kernels::KvStore* audio = nullptr;   // the window's, only read
  bool wants_logits = false;
  const WindowRows* audio_rows = nullptr;  // what `audio` holds; null: a row for each position
};

// Names a head of one layer whose attention to the audio is wanted.
struct HeadCapture {
  int layer = 0;
  kernels::AttentionCapture to;  // a row for each of the call's, [rows, rows of the window]
};

// Whisper's decoder (openai/whisper model.py `TextDecoder`), for rows of any sequences at
// any positions together: a prompt is many rows of one sequence, a step one row of each. It serves
// one caller at a time.
class Decoder {
 public:
  // A call takes at most this many rows.
  static constexpr int max_rows = RowBlock::size;

  // The embeddings of tokens are read from `weights`.
  Decoder(const PackedWhisper& packed, std::shared_ptr<const Weights> weights, kernels::Isa isa,
          kernels::ThreadPool& pool);

  // Computes what the decoder reads of an encoded window, for all layers. All threads of a team of
  // the pool call it; each reads and writes the rows that RowBlock::share gives it.
  //   encoded  [count, n_audio_state]
  void project_audio(const float* encoded, int count, kernels::KvStore& audio,
                     const kernels::TeamThread& me);

  // Rows of one sequence come in the order of their positions, at most max_rows in all.
  //   logits  [rows that want them, n_vocab], written in their order
  void operator()(std::span<const DecoderRow> rows, float* logits);

  // Decodes rows whose text is known, of which it is wanted where they look and how likely they
  // find what follows.
  //   next           of the first rows, what follows them
  //   probabilities  [next.size()], see Logits::rate
  void attend(std::span<const DecoderRow> rows, std::span<const HeadCapture> captures,
              std::span<const int> next, int n_text, float* probabilities);

 private:
  void project_block(RowBlock& block, const float* encoded, int row, int count,
                     kernels::KvStore& audio);
  void take(std::span<const DecoderRow> rows);
  // All threads call each of the functions below.
  void run_layers(int thread, std::span<const DecoderRow> rows);
  void embed(int thread, std::span<const DecoderRow> rows);
  void attend_to_itself(int thread, int layer);
  void attend_to_audio(int thread, int layer);
  void run_mlp(int thread, int layer);
  void write_logits(int thread, std::span<const DecoderRow> rows, float* logits);
  // Takes the attended rows through `out` into the residual stream.
  void add_attended(int thread, const Matrix& out);
  kernels::Panels panels_of(int thread, int n_out) const;
  int n_rows() const { return static_cast<int>(self_rows_.size()); }

  const PackedWhisper& packed_;
  std::shared_ptr<const Weights> weights_;
  kernels::Kernels kernels_;
  kernels::ThreadPool& pool_;
  int n_state_;
  int heads_width_;
  kernels::DecoderAttention attention_;
  kernels::AlignedVector<float> x_;         // [max_rows, n_state], the residual stream
  kernels::AlignedVector<float> qkv_;       // [max_rows, 3·n_head·64]
  kernels::AlignedVector<float> attended_;  // [max_rows, n_head·64]
  kernels::AlignedVector<float> hidden_;    // [max_rows, 4·n_state]
  Logits logits_;
  std::vector<kernels::DecoderRow> self_rows_;
  std::vector<kernels::DecoderRow> audio_rows_;
  std::vector<std::vector<kernels::AttentionCapture>> captures_;  // by layer
  StepRows step_rows_;
};

}  // namespace engine::cpu
