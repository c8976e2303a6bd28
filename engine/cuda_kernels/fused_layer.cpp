#include "engine/cuda_kernels/fused_layer.h"

namespace engine {

// Rows beyond the step's have any numbers, which have no effect.
FusedBuffers make_buffers(const at::Tensor& x) {
  return {at::empty_like(x), at::empty_like(x), at::empty({x.size(0), 4 * x.size(1)}, x.options())};
}

void fused_layer(StepKernels& kernels, const FusedWeights& w, const FusedStep& step,
                 const FusedBuffers& buffers) {
  kernels.linear(append_call(w, step, buffers.query));
  kernels.attention(self_attention_call(step, buffers.query, buffers.attended));
  kernels.linear(residual_call(step, buffers.attended, w.out));
  kernels.linear(cross_query_call(w, step, buffers.query));
  kernels.attention(cross_attention_call(step, buffers.query, buffers.attended));
  kernels.linear(residual_call(step, buffers.attended, w.cross_out));
  kernels.linear(hidden_call(w, step, buffers.hidden));
  kernels.linear(residual_call(step, buffers.hidden, w.fc2));
}

}  // namespace engine
