#include "engine/whisper/torch_model/audio_encoder.h"

#include <utility>

#include "engine/torch/device.h"
#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/tensor_load.h"

namespace engine {

AudioEncoder::AudioEncoder(const Weights& weights, const Placement& placement)
    : placement_(placement) {
  const auto load = [&](const std::string& name) {
    return place(load_float32(weights, "encoder." + name), placement);
  };
  const auto layer_norm = [&](const std::string& name) {
    return LayerNorm(load_float32(weights, "encoder." + name + ".weight"),
                     load_float32(weights, "encoder." + name + ".bias"), placement);
  };
  const std::int64_t rows = weights.dims().n_audio_ctx;
  const auto linear = [&](const std::string& name) {
    return Linear(load_float32(weights, "encoder." + name + ".weight"),
                  load_float32(weights, "encoder." + name + ".bias"), placement, rows);
  };
  conv1_weight_ = load("conv1.weight");
  conv1_bias_ = load("conv1.bias");
  conv2_weight_ = load("conv2.weight");
  conv2_bias_ = load("conv2.bias");
  positional_embedding_ = load("positional_embedding");
  for (int i = 0; i < weights.dims().n_audio_layer; ++i) {
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    blocks_.push_back({layer_norm(prefix + "attn_ln"),
                       fused_qkv(weights, "encoder." + prefix + "attn", placement, rows),
                       heads_out(weights, "encoder." + prefix + "attn", placement, rows),
                       layer_norm(prefix + "mlp_ln"), linear(prefix + "mlp.0"),
                       linear(prefix + "mlp.2")});
  }
  ln_post_ = layer_norm("ln_post");
}

at::Tensor AudioEncoder::operator()(const at::Tensor& mel) const {
  const CudnnAttention allowed;
  return run_blocks(convolve(mel).add_(positional_embedding_), {});
}

// Merged rows come after the audio, where all positions read zeros and have one value before their
// embedding is added. So the first `count` positions are what all rows need of the convolutions,
// and the frames after theirs are zeros, as the padding is.
at::Tensor AudioEncoder::operator()(const at::Tensor& mel, const ShortRows& rows) const {
  const std::int64_t count = rows.positions.size(1);
  at::Tensor x = convolve(mel.narrow(2, 0, 2 * count));
  x.add_(positional_embedding_.index_select(0, rows.positions.flatten()).view_as(x));
  return run_blocks(std::move(x),
                    key_bias(rows).to(scalar_type(placement_.type)).view({-1, 1, 1, count}));
}

at::Tensor AudioEncoder::convolve(const at::Tensor& mel) const {
  at::Tensor x = place(mel, placement_);
  x = at::gelu(at::conv1d(x, conv1_weight_, conv1_bias_, /*stride=*/1, /*padding=*/1));
  x = at::gelu(at::conv1d(x, conv2_weight_, conv2_bias_, /*stride=*/2, /*padding=*/1));
  return x.transpose(1, 2).contiguous();
}

at::Tensor AudioEncoder::run_blocks(at::Tensor x, const at::Tensor& mask) const {
  for (const Block& block : blocks_) {
    x.add_(block.out(self_attention(block, block.attn_ln(x), mask)));
    x.add_(block.fc2(block.fc1(block.mlp_ln(x), Activation::gelu)));
  }
  return ln_post_(x);
}

at::Tensor AudioEncoder::self_attention(const Block& block, const at::Tensor& x,
                                        const at::Tensor& mask) {
  const auto qkv = block.qkv(x).chunk(3, -1);
  return merge_heads(at::scaled_dot_product_attention(
      split_heads(qkv[0]), split_heads(qkv[1]), split_heads(qkv[2]), optional_mask(mask),
      /*dropout_p=*/0, /*is_causal=*/false, /*scale=*/1.0));
}

}  // namespace engine
