#include "engine/cuda_kernels/layer_calls.h"

namespace engine {

FusedLinear append_call(const FusedWeights& w, const FusedStep& step, const at::Tensor& query) {
  return {.x = step.x,
          .matrix = w.qkv,
          .norm_weight = w.attn_norm_weight,
          .norm_bias = w.attn_norm_bias,
          .epilogue = Epilogue::append,
          .out = query,
          .keys = step.history[0],
          .values = step.history[1],
          .slots = step.slots,
          .positions = step.positions,
          .rows = step.rows};
}

FusedAttention self_attention_call(const FusedStep& step, const at::Tensor& query,
                                   const at::Tensor& out) {
  return {.query = query,
          .keys = {step.history[0]},
          .values = {step.history[1]},
          .slots = step.slots,
          .positions = step.positions,
          .out = out,
          .rows = step.rows,
          .length = step.length};
}

FusedLinear cross_query_call(const FusedWeights& w, const FusedStep& step,
                             const at::Tensor& query) {
  return {.x = step.x,
          .matrix = w.cross_query,
          .norm_weight = w.cross_norm_weight,
          .norm_bias = w.cross_norm_bias,
          .out = query,
          .rows = step.rows};
}

FusedAttention cross_attention_call(const FusedStep& step, const at::Tensor& query,
                                    const at::Tensor& out) {
  return {.query = query,
          .keys = step.audio.select(0, 0),
          .values = step.audio.select(0, 1),
          .key_bias = step.audio_bias,
          .slots = step.windows,
          .out = out,
          .rows = step.rows,
          .length = static_cast<int>(step.audio.values.size(3))};
}

FusedLinear hidden_call(const FusedWeights& w, const FusedStep& step, const at::Tensor& out) {
  return {.x = step.x,
          .matrix = w.fc1,
          .norm_weight = w.mlp_norm_weight,
          .norm_bias = w.mlp_norm_bias,
          .epilogue = Epilogue::gelu,
          .out = out,
          .rows = step.rows};
}

FusedLinear residual_call(const FusedStep& step, const at::Tensor& x, const FusedMatrix& matrix) {
  return {.x = x, .matrix = matrix, .epilogue = Epilogue::add, .out = step.x, .rows = step.rows};
}

}  // namespace engine
