#pragma once

#include <ATen/ATen.h>

#include <utility>
#include <vector>

#include "engine/cuda_kernels/fused_layer.h"

namespace engine {

// The decoder's weights as fused kernels read them.
struct FusedDecoderWeights {
  at::Tensor token_embedding;       // [n_vocab, n_text_state]
  at::Tensor positional_embedding;  // [n_text_ctx, n_text_state]
  std::vector<FusedWeights> layers;
  at::Tensor norm_weight, norm_bias;  // of the last norm
};

// One token of each row, on the device. Rows that are left over repeat another row, and so write
// what it writes.
struct FusedInputs {
  at::Tensor chosen;    // DeviceChooser::table(): each slot's token and its position
  at::Tensor slots;     // [rows] int64: of the rows' histories
  at::Tensor windows;   // [rows] int64
  int length = 0;       // self-attention looks at no more than the first so many positions
  at::Tensor history;   // [n_layer, 2, slots, n_head, n_text_ctx, 64], written at the positions
  StoredRows audio;     // [n_layer, 2, slots, n_head, rows of a window, 64]
  at::Tensor key_bias;  // [slots, rows of a window] float32; undefined: all windows are full
};

// Takes steps as TextDecoder does, on fused kernels: eight a layer and two besides, and only rows
// that take part. The kernels must outlive it.
class FusedDecoder {
 public:
  FusedDecoder(StepKernels& kernels, FusedDecoderWeights weights)
      : kernels_(kernels), weights_(std::move(weights)) {}

  // It can be recorded.
  //   returns [rows, n_vocab] float32, on the device
  at::Tensor step(const FusedInputs& inputs) const;

 private:
  at::Tensor logits(const at::Tensor& x, int rows) const;

  StepKernels& kernels_;
  FusedDecoderWeights weights_;
};

}  // namespace engine
