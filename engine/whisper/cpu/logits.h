#pragma once

#include <span>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/whisper/cpu/packed_whisper.h"

namespace engine::cpu {

// The decoder's last product, with the embeddings of all tokens: half of the bytes that a step of a
// small model reads. In int8, and where there is a kernel for it, text tokens are preselected in
// four bits, and those that come near the most likely one are computed again in eight; the special
// tokens and timestamps, which rules compare with each other, always in eight.
class Logits {
 public:
  // A text token keeps its preselected logit where that lies below all of these.
  struct Margins {
    // The distance to the largest text token's at which a token is hardly ever the largest, nor
    // likely to become it when rules forbid some.
    float text = 0;
    // The distance to the largest of all at which a token is 8,000 times less likely than that.
    float all = 0;
    // The distance to the largest text token's within which every token is computed again, even
    // where timestamps are far likelier: rules may forbid all that is not text.
    float least_text = 0;
  };
  // deviation  by which preselected logits are off (0.34 for base). Among millions of logits of
  //            speech none was off by more than eight deviations.
  static Margins margins_for(float deviation);
  // A panel with so many candidates is computed as a whole, which takes as long as they do one by
  // one: behind a window that says little, ten thousands of tokens are near the largest.
  static constexpr int least_crowd = 4;

  Logits(const PackedWhisper& packed, kernels::Isa isa, kernels::Kernels kernels,
         kernels::ThreadPool& pool, int max_rows);

  // Called by all threads.
  //   x    [rows, n_text_state], after the last layer norm
  //   out  [rows, n_vocab]
  void operator()(int thread, const Rows& x, int rows, float* out);

  // Writes how likely the next token of each row is among the ids below n_text; 0 for one that is
  // not of them. It preselects nothing: with many rows it is products that take time,
  // not reading weights. All threads call this.
  //   x, out  [next.size() rows]
  void rate(int thread, const Rows& x, std::span<const int> next, int n_text, float* out);

 private:
  // These panels of 64 tokens are a thread's share, and nobody else changes them.
  struct Share {
    kernels::Panels preselected;
    kernels::Panels exact;
  };
  bool preselects() const;
  Share share_of(int thread) const;
  void multiply_share(const Share& share, const Rows& x, int rows);
  void note_largest(int thread, const Share& share, int rows);
  void refine(int thread, const Share& share, const Rows& x, int row);
  // Takes the candidates of panels that have many of them out of the list, and computes these
  // panels. The candidates are in the order of the outputs.
  void multiply_crowded_panels(const kernels::Int8Rows& x, int row, std::vector<int>& candidates,
                               float* logits);
  std::span<float> part(int row, kernels::Panels panels);

  // The largest logits of one row in one thread's share.
  struct Largest {
    float text;
    float other;
  };

  const PackedWhisper& packed_;
  Margins margins_;
  kernels::Kernels kernels_;
  decltype(kernels::KvKernel::soften) soften_;
  kernels::ThreadPool& pool_;
  kernels::AlignedVector<float> logits_;      // [max_rows, padded n_vocab]
  std::vector<Largest> largest_;              // [max_rows, threads]
  std::vector<std::vector<int>> candidates_;  // by thread
};

}  // namespace engine::cpu
