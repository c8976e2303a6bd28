#pragma once

#include <cstddef>

#include "engine/kernels/attention/attention_buffer.h"
#include "engine/kernels/attention/key_bias.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"

namespace engine::kernels {

// The rows of all heads lie side by side: head h of row t begins at data + t·stride + 64·h.
struct Float32AttentionRows {
  const float* data = nullptr;
  std::ptrdiff_t stride = 0;
  int count = 0;
};

// Computes the encoder's self-attention in float32: the products are those of linear layers, with
// the keys and the values of a head as the weights. It serves one layer after the other.
class Float32Attention {
 public:
  // Throws std::bad_alloc.
  Float32Attention(Isa isa, int n_head, int max_keys, int team_size);

  // Every thread of a team calls it with the same arguments and its own place. It waits once for
  // the others, and returns when its own share is done.
  //   queries  [n_query, n_head·64]  already scaled by 1/√64
  //   keys     [n_key, n_head·64]    1 ≤ n_key ≤ max_keys
  //   values   [n_key, n_head·64]
  //   out      [n_query, n_head·64]
  void operator()(const Float32AttentionRows& queries, const Float32AttentionRows& keys,
                  const Float32AttentionRows& values, float* out, const TeamThread& me,
                  const KeyBias& bias = {});

 private:
  void pack(const Float32AttentionRows& keys, const Float32AttentionRows& values, Span panels);
  void attend(int head, const Float32AttentionRows& queries, int row, int n_key,
              const KeyBias& bias, float* out, float* scores) const;
  float* keys_of(int head) const;
  float* values_of(int head) const;

  Kernels kernels_;
  decltype(KvKernel::soften) soften_;
  int n_head_;
  int width_;  // of a row of scores: keys in whole panels
  AttentionBuffer packed_;
  AttentionBuffer scores_;
};

}  // namespace engine::kernels
