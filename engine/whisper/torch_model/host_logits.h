#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "engine/whisper/choice/logit_row.h"

namespace engine {

// Returns the numbers of a tensor of any device and type, in their order.
inline std::vector<float> host_numbers(const at::Tensor& tensor) {
  const at::Tensor here = tensor.to(at::kCPU, at::kFloat).contiguous();
  return {here.const_data_ptr<float>(), here.const_data_ptr<float>() + here.numel()};
}

// Returns the rows of a tensor [rows, n_vocab] float32 on the CPU, which must outlive them.
inline LogitRows host_logits(const at::Tensor& logits) {
  TORCH_CHECK(logits.dim() == 2 && logits.is_contiguous(), "logits lie in rows");
  return {logits.mutable_data_ptr<float>(), static_cast<int>(logits.size(0)),
          static_cast<int>(logits.size(1))};
}

}  // namespace engine
