#pragma once

#include <cstddef>
#include <vector>

#include "engine/kernels/attention/attention_buffer.h"
#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/thread_pool.h"

namespace engine::kernels {

// The rows of all heads lie side by side, in bfloat16: head h of row t begins at data + t·stride +
// 64·h.
struct AttentionRows {
  const Bfloat16* data = nullptr;
  std::ptrdiff_t stride = 0;
  int count = 0;
};

// Computes the encoder's self-attention, softmax(q·Kᵀ + bias)·V for each head, without ever writing
// the scores to memory. It serves one layer after the other.
class Attention {
 public:
  // Throws std::bad_alloc.
  Attention(Isa isa, int n_head, int max_keys, int team_size);

  // Every thread of a team calls it with the same arguments and its own place. It waits once for
  // the others, and returns when its own share is done.
  //   queries  [n_query, n_head·64]  already scaled by 1/√64
  //   keys     [n_key, n_head·64]    1 ≤ n_key ≤ max_keys
  //   values   [n_key, n_head·64]
  //   out      [n_query, n_head·64]
  void operator()(const AttentionRows& queries, const AttentionRows& keys,
                  const AttentionRows& values, float* out, const TeamThread& me,
                  const KeyBias& bias = {});

 private:
  void pack(const AttentionRows& keys, const AttentionRows& values, Span blocks);
  std::byte* keys_of(int head) const;
  std::byte* values_of(int head) const;

  TileKernel kernel_;
  int n_head_;
  std::size_t key_bytes_;    // of a head's packed keys
  std::size_t value_bytes_;  // of a head's packed values
  AttentionBuffer packed_;
  std::vector<TileState> states_;  // one a thread
};

}  // namespace engine::kernels
