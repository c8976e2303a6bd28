#pragma once

#include <ATen/ATen.h>

#include "engine/cuda_kernels/step_kernels.h"

// The kernels of a decoder's layer, one call each, from its weights and the rows of a step.
namespace engine {

// The weights of a layer of Whisper's decoder, as the kernels read them: dense, the norms in the
// type of x. The factor 1/8 is in both queries' weights.
struct FusedWeights {
  at::Tensor attn_norm_weight, attn_norm_bias;
  FusedMatrix qkv;  // [3·n, n]
  FusedMatrix out;
  at::Tensor cross_norm_weight, cross_norm_bias;
  FusedMatrix cross_query;
  FusedMatrix cross_out;
  at::Tensor mlp_norm_weight, mlp_norm_bias;
  FusedMatrix fc1;  // [4·n, n]
  FusedMatrix fc2;  // [n, 4·n]
};

// The rows of a step, and where their keys and values are.
struct FusedStep {
  at::Tensor x;          // [rows rounded up to 16, n], which the layer changes
  at::Tensor slots;      // [rows] int64, of the rows' histories
  at::Tensor windows;    // [rows] int64
  at::Tensor positions;  // [rows] int64, of the rows' tokens
  at::Tensor history;    // [2, slots, heads, n_text_ctx, 64], of this layer
  StoredRows audio;      // [2, windows, heads, rows of a window, 64], of this layer
  // [windows, rows of a window] float32, added to the scores of the audio; or undefined
  at::Tensor audio_bias{};
  int rows = 0;
  int length = 0;  // the most positions of a history that a row looks at
};

// Appends keys and values; the queries go to `query`.
FusedLinear append_call(const FusedWeights& weights, const FusedStep& step,
                        const at::Tensor& query);
FusedAttention self_attention_call(const FusedStep& step, const at::Tensor& query,
                                   const at::Tensor& out);
FusedLinear cross_query_call(const FusedWeights& weights, const FusedStep& step,
                             const at::Tensor& query);
FusedAttention cross_attention_call(const FusedStep& step, const at::Tensor& query,
                                    const at::Tensor& out);
// Computes the first layer of the MLP, with its activation.
FusedLinear hidden_call(const FusedWeights& weights, const FusedStep& step, const at::Tensor& out);
// Adds x·Wᵀ + b to the step's rows.
FusedLinear residual_call(const FusedStep& step, const at::Tensor& x, const FusedMatrix& matrix);

}  // namespace engine
