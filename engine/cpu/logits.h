#pragma once

#include <span>
#include <vector>

#include "engine/cpu/packed_whisper.h"
#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/decoder_attention_kernel.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/team.h"

namespace engine::cpu {

// The decoder's last product, with the embeddings of all tokens: half of the bytes that a step of a
// small model reads. Where there is a kernel for it, text tokens are screened in four bits, and
// those that come near the most likely one are computed again in eight; the special tokens and
// timestamps, which rules compare with each other, always in eight.
class Logits {
 public:
  // Text tokens whose logits lie this far below the largest keep their screened ones, which are off
  // by 0.5 or so: nothing chooses among tokens that are 160,000 times less likely.
  static constexpr float margin = 12;

  Logits(const PackedWhisper& packed, kernels::Isa isa, kernels::Kernels kernels,
         kernels::Team& team, int max_rows);

  // Called by all threads.
  //   x    [rows, n_text_state], after the last layer norm
  //   out  [rows, n_vocab]
  void operator()(int thread, const kernels::Int8Rows& x, int rows, float* out);

  // How likely the next token of each row is among the ids below n_text; 0 for one that is not of
  // them. Always in eight bits: with many rows it is products that take time, not reading weights.
  // Called by all threads.
  //   x, out  [next.size() rows]
  void rate(int thread, const kernels::Int8Rows& x, std::span<const int> next, int n_text,
            float* out);

 private:
  void multiply(int thread, const kernels::Int8Rows& x, int rows);
  void refine(int thread, const kernels::Int8Rows& x, int row);

  const PackedWhisper& packed_;
  kernels::Kernels kernels_;
  decltype(kernels::KvKernel::soften) soften_;
  kernels::Team& team_;
  kernels::AlignedVector<float> logits_;      // [max_rows, padded n_vocab]
  std::vector<std::vector<int>> candidates_;  // by thread
};

}  // namespace engine::cpu
