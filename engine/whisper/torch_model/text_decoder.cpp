#include "engine/whisper/torch_model/text_decoder.h"

#include <utility>

#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/tensor_load.h"

namespace engine {
namespace {

// Steps have as many rows as a decode has beams.
constexpr std::int64_t step_rows = 5;

constexpr const char* token_embedding = "decoder.token_embedding.weight";

LayerNorm load_layer_norm(const Weights& weights, const std::string& name,
                          const Placement& placement) {
  return LayerNorm(load_float32(weights, name + ".weight"), load_float32(weights, name + ".bias"),
                   placement);
}

Linear load_linear(const Weights& weights, const std::string& name, const Placement& placement) {
  return Linear(load_float32(weights, name + ".weight"), load_float32(weights, name + ".bias"),
                placement, step_rows);
}

// The weights are kept in float32 whatever the model's type: times are read from small differences.
void keep(int layer, const at::Tensor& scores, CrossCapture& capture) {
  for (std::size_t i = 0; i < capture.heads.size(); ++i) {
    const auto [wanted_layer, head] = capture.heads[i];
    if (wanted_layer == layer) capture.weights[i] = at::softmax(scores[head], -1, at::kFloat);
  }
}

}  // namespace

TextDecoder::TextDecoder(std::shared_ptr<const Weights> weights, const Placement& placement)
    : weights_(std::move(weights)),
      placement_(placement),
      token_embedding_(placement.on_cpu()
                           ? load_view(*weights_, token_embedding)
                           : place(load_float32(*weights_, token_embedding), placement)),
      positional_embedding_(
          place(load_float32(*weights_, "decoder.positional_embedding"), placement)),
      ln_(load_layer_norm(*weights_, "decoder.ln", placement)),
      // It is never in int8, as it is the embedding, too.
      to_logits_(placement.on_cpu() ? load_float32(*weights_, token_embedding) : token_embedding_,
                 at::Tensor(), {placement.device, placement.type}, step_rows) {
  for (int layer = 0; layer < weights_->dims().n_text_layer; ++layer) {
    blocks_.push_back(load_block(layer));
  }
  if (!placement.on_cpu()) weights_.reset();
}

TextDecoder::Block TextDecoder::load_block(int layer) const {
  const Weights& weights = *weights_;
  const std::string prefix = "decoder.blocks." + std::to_string(layer) + ".";
  return {
      load_layer_norm(weights, prefix + "attn_ln", placement_),
      fused_qkv(weights, prefix + "attn", placement_, step_rows),
      heads_out(weights, prefix + "attn", placement_, step_rows),
      load_layer_norm(weights, prefix + "cross_attn_ln", placement_),
      scaled_query(weights, prefix + "cross_attn", placement_, step_rows),
      fused_kv(weights, prefix + "cross_attn", placement_, weights.dims().n_audio_ctx),
      heads_out(weights, prefix + "cross_attn", placement_, step_rows),
      load_layer_norm(weights, prefix + "mlp_ln", placement_),
      load_linear(weights, prefix + "mlp.0", placement_),
      load_linear(weights, prefix + "mlp.2", placement_),
  };
}

CrossAttention TextDecoder::cross_attention(const at::Tensor& encoded) const {
  CrossAttention result;
  for (const Block& block : blocks_) {
    const auto kv = block.cross_kv(encoded).view({encoded.size(0), 2, -1, head_dim}).unbind(1);
    // A column of the keys lies side by side, ready for q·k.
    result.keys.push_back({kv[0].permute({1, 2, 0}).contiguous().transpose(1, 2)});
    result.values.push_back({kv[1].transpose(0, 1).contiguous()});
  }
  return result;
}

at::Tensor TextDecoder::operator()(const at::Tensor& tokens, const CrossAttention& audio,
                                   KvCache& cache, CrossCapture* capture) const {
  if (capture != nullptr) capture->weights.resize(capture->heads.size());
  const std::int64_t t = tokens.size(1);
  at::Tensor x = at::embedding(token_embedding_, tokens.to(placement_.device))
                     .to(scalar_type(placement_.type));
  x = x + positional_embedding_.narrow(0, cache.length(), t);
  for (int layer = 0; layer < static_cast<int>(blocks_.size()); ++layer) {
    const Block& block = blocks_[static_cast<std::size_t>(layer)];
    x.add_(block.out(self_attention(layer, block.qkv(block.attn_ln(x)), cache)));
    x.add_(block.cross_out(
        cross_attention(layer, block.cross_query(block.cross_attn_ln(x)), audio, capture)));
    x.add_(block.fc2(block.fc1(block.mlp_ln(x), Activation::gelu)));
  }
  cache.advance(static_cast<int>(t));
  return x;
}

at::Tensor TextDecoder::logits(const at::Tensor& x) const {
  return to_logits_(ln_(x)).to(at::kCPU, at::kFloat);
}

at::Tensor TextDecoder::mask_of(const at::Tensor& key_bias) const {
  if (!key_bias.defined()) return {};
  return key_bias.to(scalar_type(placement_.type)).view({key_bias.size(0), 1, 1, -1});
}

at::Tensor TextDecoder::self_attention(int layer, const at::Tensor& qkv, KvCache& cache) {
  const auto parts = qkv.chunk(3, -1);
  const at::Tensor query = split_heads(parts[0]);
  const auto [key, value] = cache.append(layer, split_heads(parts[1]), split_heads(parts[2]));
  if (qkv.size(1) > 1) {
    return merge_heads(at::scaled_dot_product_attention(query, key, value, /*attn_mask=*/{},
                                                        /*dropout_p=*/0, /*is_causal=*/true,
                                                        /*scale=*/1.0));
  }
  const at::Tensor weights = at::softmax(at::matmul(query, key.transpose(-1, -2)), -1);
  return merge_heads(at::matmul(weights, value));
}

// Every row looks at the same audio, so rows and positions are just more queries of one batch.
at::Tensor TextDecoder::cross_attention(int layer, const at::Tensor& query,
                                        const CrossAttention& audio, CrossCapture* capture) {
  const auto index = static_cast<std::size_t>(layer);
  const at::Tensor heads =
      query.view({query.size(0) * query.size(1), -1, head_dim}).transpose(0, 1);
  at::Tensor scores = at::bmm(heads, to_numbers(audio.keys[index]).transpose(1, 2));
  if (audio.key_bias.defined()) scores.add_(audio.key_bias);
  if (capture != nullptr) keep(layer, scores, *capture);
  const at::Tensor weights = at::softmax(scores, -1);
  return at::bmm(weights, to_numbers(audio.values[index])).transpose(0, 1).reshape(query.sizes());
}

}  // namespace engine
