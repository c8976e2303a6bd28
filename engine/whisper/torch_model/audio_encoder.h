#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "engine/torch/linear.h"
#include "engine/whisper/torch_model/short_windows.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

// Whisper's encoder (Radford et al. 2022, section 2.2; openai/whisper model.py `AudioEncoder`).
class AudioEncoder {
 public:
  AudioEncoder(const Weights& weights, const Placement& placement);

  // mel     [batch, n_mels, 3000]        float32, on any device
  // returns [batch, 1500, n_audio_state] in the compute type, on the model's device
  at::Tensor operator()(const at::Tensor& mel) const;
  // Computes the given rows alone.
  // returns [batch, rows, n_audio_state]
  at::Tensor operator()(const at::Tensor& mel, const ShortRows& rows) const;

 private:
  struct Block {
    LayerNorm attn_ln;
    Linear qkv;
    Linear out;
    LayerNorm mlp_ln;
    Linear fc1;
    Linear fc2;
  };
  // mel [batch, n_mels, 2·n] → [batch, n, n_audio_state], without positions
  at::Tensor convolve(const at::Tensor& mel) const;
  // Runs the layers on x, which they change.
  //   mask  added to the scores, [batch, 1, 1, rows], or undefined
  at::Tensor run_blocks(at::Tensor x, const at::Tensor& mask) const;
  static at::Tensor self_attention(const Block& block, const at::Tensor& x, const at::Tensor& mask);

  Placement placement_;
  at::Tensor conv1_weight_, conv1_bias_, conv2_weight_, conv2_bias_;
  at::Tensor positional_embedding_;  // [1500, n_audio_state]
  std::vector<Block> blocks_;
  LayerNorm ln_post_;
};

}  // namespace engine
