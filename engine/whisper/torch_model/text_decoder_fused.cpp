#include "engine/whisper/torch_model/fused_decoder.h"
#include "engine/whisper/torch_model/text_decoder.h"

// This file hands the decoder's weights to fused kernels.
namespace engine {

FusedDecoderWeights TextDecoder::fused_weights() const {
  const auto matrix = [](const Linear& linear) {
    const DenseLayer layer = linear.dense();
    return FusedMatrix{layer.weight, layer.bias};
  };
  const DenseLayer norm = ln_.dense(placement_);
  FusedDecoderWeights weights{place(token_embedding_, placement_),
                              positional_embedding_,
                              {},
                              norm.weight.values,
                              norm.bias};
  for (const Block& block : blocks_) {
    const DenseLayer attn_ln = block.attn_ln.dense(placement_);
    const DenseLayer cross_ln = block.cross_attn_ln.dense(placement_);
    const DenseLayer mlp_ln = block.mlp_ln.dense(placement_);
    weights.layers.push_back({.attn_norm_weight = attn_ln.weight.values,
                              .attn_norm_bias = attn_ln.bias,
                              .qkv = matrix(block.qkv),
                              .out = matrix(block.out),
                              .cross_norm_weight = cross_ln.weight.values,
                              .cross_norm_bias = cross_ln.bias,
                              .cross_query = matrix(block.cross_query),
                              .cross_out = matrix(block.cross_out),
                              .mlp_norm_weight = mlp_ln.weight.values,
                              .mlp_norm_bias = mlp_ln.bias,
                              .fc1 = matrix(block.fc1),
                              .fc2 = matrix(block.fc2)});
  }
  return weights;
}

}  // namespace engine
