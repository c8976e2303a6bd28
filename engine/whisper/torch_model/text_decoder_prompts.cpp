#include <ATen/ATen.h>

#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/text_decoder.h"

// This file reads windows and prompts of several decodes as one batch, where all histories and
// windows lie in one place each.
namespace engine {

void TextDecoder::store_cross_attention(const at::Tensor& encoded, const at::Tensor& slots,
                                        const StoredRows& audio) const {
  const std::int64_t n = encoded.size(0);
  const std::int64_t rows = encoded.size(1);
  const std::int64_t all = audio.values.size(4);
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    const at::Tensor kv =
        blocks_[layer].cross_kv(encoded).view({n, rows, 2, -1, head_dim}).permute({2, 0, 3, 1, 4});
    const StoredRows of_layer = audio.select(0, static_cast<std::int64_t>(layer));
    of_layer.narrow(3, 0, rows).put(1, slots, kv);
    // A step reads them if another window has as many, and what is not finite would spread.
    if (rows < all) of_layer.narrow(3, rows, all - rows).clear(1, slots);
  }
}

at::Tensor TextDecoder::read_prompts(const PromptInputs& inputs) const {
  at::Tensor x = at::embedding(token_embedding_, inputs.tokens).to(scalar_type(placement_.type));
  x = x + positional_embedding_.narrow(0, 0, inputs.tokens.size(1));
  const at::Tensor mask = inputs.key_bias.defined()
                              ? mask_of(inputs.key_bias.index_select(0, inputs.windows))
                              : at::Tensor();
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    const Block& block = blocks_[layer];
    const auto index = static_cast<std::int64_t>(layer);
    x.add_(block.out(
        prompt_self_attention(block.qkv(block.attn_ln(x)), inputs.history[index], inputs.slots)));
    x.add_(block.cross_out(prompt_cross_attention(block.cross_query(block.cross_attn_ln(x)),
                                                  inputs.audio.select(0, index), inputs.windows,
                                                  mask)));
    x.add_(block.fc2(block.fc1(block.mlp_ln(x), Activation::gelu)));
  }
  const at::Tensor wanted = x.flatten(0, 1).index_select(0, inputs.wanted);
  return to_logits_(ln_(wanted)).to(at::kFloat);
}

// qkv [n, t, 3·n_head·64], history [2, slots, n_head, n_text_ctx, 64]
at::Tensor TextDecoder::prompt_self_attention(const at::Tensor& qkv, const at::Tensor& history,
                                              const at::Tensor& slots) {
  const std::int64_t t = qkv.size(1);
  const at::Tensor by_head = qkv.view({qkv.size(0), t, 3, -1, head_dim}).permute({2, 0, 3, 1, 4});
  history.narrow(3, 0, t).index_copy_(1, slots, by_head.narrow(0, 1, 2));
  return merge_heads(at::scaled_dot_product_attention(by_head[0], by_head[1], by_head[2],
                                                      /*attn_mask=*/{}, /*dropout_p=*/0,
                                                      /*is_causal=*/true, /*scale=*/1.0));
}

// query [n, t, n_head·64], audio [2, slots, n_head, rows of a window, 64]. The windows are copied,
// so that the operations are the same wherever they lie.
at::Tensor TextDecoder::prompt_cross_attention(const at::Tensor& query, const StoredRows& audio,
                                               const at::Tensor& windows, const at::Tensor& mask) {
  const at::Tensor read = to_numbers(audio.index_select(1, windows));
  return merge_heads(at::scaled_dot_product_attention(split_heads(query), read[0], read[1],
                                                      optional_mask(mask), /*dropout_p=*/0,
                                                      /*is_causal=*/false, /*scale=*/1.0));
}

}  // namespace engine
