#include "engine/cuda_kernels/fused_layer.h"

namespace engine {

FusedBuffers make_buffers(const at::Tensor& x) {
  return {at::zeros_like(x), at::zeros_like(x), at::zeros({x.size(0), 4 * x.size(1)}, x.options())};
}

void fused_layer(StepKernels& kernels, const FusedWeights& w, const FusedStep& step,
                 const FusedBuffers& buffers) {
  const auto residual = [&](const at::Tensor& from, const at::Tensor& weight,
                            const at::Tensor& bias) {
    kernels.linear({.x = from,
                    .weight = weight,
                    .bias = bias,
                    .epilogue = Epilogue::add,
                    .out = step.x,
                    .rows = step.rows});
  };
  const at::Tensor keys = step.history[0];
  const at::Tensor values = step.history[1];
  kernels.linear({.x = step.x,
                  .weight = w.qkv_weight,
                  .bias = w.qkv_bias,
                  .norm_weight = w.attn_norm_weight,
                  .norm_bias = w.attn_norm_bias,
                  .epilogue = Epilogue::append,
                  .out = buffers.query,
                  .keys = keys,
                  .values = values,
                  .slots = step.slots,
                  .positions = step.positions,
                  .rows = step.rows});
  kernels.attention({.query = buffers.query,
                     .keys = keys,
                     .values = values,
                     .slots = step.slots,
                     .positions = step.positions,
                     .out = buffers.attended,
                     .rows = step.rows,
                     .length = step.length});
  residual(buffers.attended, w.out_weight, w.out_bias);
  kernels.linear({.x = step.x,
                  .weight = w.cross_query_weight,
                  .bias = w.cross_query_bias,
                  .norm_weight = w.cross_norm_weight,
                  .norm_bias = w.cross_norm_bias,
                  .out = buffers.query,
                  .rows = step.rows});
  kernels.attention({.query = buffers.query,
                     .keys = step.audio[0],
                     .values = step.audio[1],
                     .slots = step.windows,
                     .out = buffers.attended,
                     .rows = step.rows,
                     .length = static_cast<int>(step.audio.size(3))});
  residual(buffers.attended, w.cross_out_weight, w.cross_out_bias);
  kernels.linear({.x = step.x,
                  .weight = w.fc1_weight,
                  .bias = w.fc1_bias,
                  .norm_weight = w.mlp_norm_weight,
                  .norm_bias = w.mlp_norm_bias,
                  .epilogue = Epilogue::gelu,
                  .out = buffers.hidden,
                  .rows = step.rows});
  residual(buffers.hidden, w.fc2_weight, w.fc2_bias);
}

}  // namespace engine
