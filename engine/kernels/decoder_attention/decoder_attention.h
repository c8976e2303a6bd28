#pragma once

#include <cstddef>
#include <span>

#include "engine/kernels/attention/attention_buffer.h"
#include "engine/kernels/attention/key_bias.h"
#include "engine/kernels/decoder_attention/decoder_attention_store.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/thread_pool.h"

namespace engine::kernels {

// The first n_key positions of its store, which a row of a decode step attends to. Neighbouring
// rows of the same store (beams of one window, the tokens of a prompt) read it together.
struct DecoderRow {
  KvStore* store = nullptr;
  int n_key = 0;   // 1 … the capacity of the store
  KeyBias bias{};  // the same for all rows of a store
};

// A head whose attention is wanted, for the times of words.
struct AttentionCapture {
  int head = 0;
  float* weights = nullptr;   // [rows, n_key], written; each row sums to 1
  std::ptrdiff_t stride = 0;  // from row to row
};

// Computes the decoder's attention of single rows: across to the encoder's output, and to the
// tokens so far.
class DecoderAttention {
 public:
  // `max_keys` is that of the longest store. Throws std::bad_alloc.
  DecoderAttention(Isa isa, int max_keys, int pool_size);

  // Every thread of the pool calls both with the same arguments and its own index; they wait for
  // nobody and return when their share is done. All stores have the same number of heads.
  //   queries  [rows, n_head·64]  already scaled by 1/√64
  //   out      [rows, n_head·64]  without gaps
  void across(int layer, std::span<const DecoderRow> rows, const KvRows& queries, float* out,
              std::span<const AttentionCapture> captures, const ThreadPool& pool, int index);

  // This one first writes each row's own key and value to its store, as position n_key - 1: rows of
  // one store come in the order of their positions, and each sees those before it.
  void to_itself(int layer, std::span<const DecoderRow> rows, const KvRows& queries,
                 const KvRows& keys, const KvRows& values, float* out, const ThreadPool& pool,
                 int index);

 private:
  struct Step;
  void work(const Step& step, const ThreadPool& pool, int index);
  void attend(const Step& step, int head, int first, int rows, float* scratch) const;

  Isa isa_;
  std::ptrdiff_t score_stride_;    // floats of one row of scores
  std::ptrdiff_t scratch_stride_;  // floats of one thread's scratch
  AttentionBuffer scratch_;
};

}  // namespace engine::kernels
