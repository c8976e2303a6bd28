#include "engine/whisper/torch_model/fused_decoder.h"
#include "engine/whisper/torch_model/text_decoder.h"

// This file hands the decoder's weights to fused kernels.
namespace engine {

FusedDecoderWeights TextDecoder::fused_weights() const {
  const DenseLayer norm = ln_.dense(placement_);
  FusedDecoderWeights weights{
      place(token_embedding_, placement_), positional_embedding_, {}, norm.weight, norm.bias};
  for (const Block& block : blocks_) {
    const DenseLayer attn_ln = block.attn_ln.dense(placement_);
    const DenseLayer qkv = block.qkv.dense();
    const DenseLayer out = block.out.dense();
    const DenseLayer cross_ln = block.cross_attn_ln.dense(placement_);
    const DenseLayer cross_query = block.cross_query.dense();
    const DenseLayer cross_out = block.cross_out.dense();
    const DenseLayer mlp_ln = block.mlp_ln.dense(placement_);
    const DenseLayer fc1 = block.fc1.dense();
    const DenseLayer fc2 = block.fc2.dense();
    weights.layers.push_back({.attn_norm_weight = attn_ln.weight,
                              .attn_norm_bias = attn_ln.bias,
                              .qkv_weight = qkv.weight,
                              .qkv_bias = qkv.bias,
                              .out_weight = out.weight,
                              .out_bias = out.bias,
                              .cross_norm_weight = cross_ln.weight,
                              .cross_norm_bias = cross_ln.bias,
                              .cross_query_weight = cross_query.weight,
                              .cross_query_bias = cross_query.bias,
                              .cross_out_weight = cross_out.weight,
                              .cross_out_bias = cross_out.bias,
                              .mlp_norm_weight = mlp_ln.weight,
                              .mlp_norm_bias = mlp_ln.bias,
                              .fc1_weight = fc1.weight,
                              .fc1_bias = fc1.bias,
                              .fc2_weight = fc2.weight,
                              .fc2_bias = fc2.bias});
  }
  return weights;
}

}  // namespace engine
