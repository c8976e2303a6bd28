#include <ATen/ATen.h>

#include <vector>

#include "engine/torch/upload.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/prompt_batch.h"
#include "engine/whisper/torch_model/text_decoder.h"

// This file reads windows and prompts of several decodes as one batch, where all histories and
// windows lie in one place each.
namespace engine {

void TextDecoder::store_cross_attention(const at::Tensor& encoded, const at::Tensor& slots,
                                        const at::Tensor& audio) const {
  const std::int64_t n = encoded.size(0);
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    const at::Tensor kv = blocks_[layer]
                              .cross_kv(encoded)
                              .view({n, encoded.size(1), 2, -1, head_dim})
                              .permute({2, 0, 3, 1, 4});
    audio[static_cast<std::int64_t>(layer)].index_copy_(1, slots, kv);
  }
}

at::Tensor TextDecoder::read_prompts(const PromptBatch& batch, const at::Tensor& history,
                                     const at::Tensor& audio) const {
  const std::int64_t n = batch.size();
  const std::int64_t t = batch.length();
  const auto parts = upload(batch.numbers(), placement_.device).split_with_sizes({n * t, n, 2 * n});
  at::Tensor x =
      at::embedding(token_embedding_, parts[0].view({n, t})).to(scalar_type(placement_.type));
  x = x + positional_embedding_.narrow(0, 0, t);
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    const Block& block = blocks_[layer];
    const auto index = static_cast<std::int64_t>(layer);
    x.add_(block.out(prompt_self_attention(block.qkv(block.attn_ln(x)), history[index], parts[1])));
    x.add_(block.cross_out(
        prompt_cross_attention(block.cross_query(block.cross_attn_ln(x)), audio[index], batch)));
    x.add_(block.fc2(block.fc1(block.mlp_ln(x), Activation::gelu)));
  }
  const at::Tensor wanted = x.view({n * t, -1}).index_select(0, parts[2]);
  return to_logits_(ln_(wanted)).to(at::kFloat);
}

// qkv [n, t, 3·n_text_state], history [2, slots, n_head, n_text_ctx, 64]
at::Tensor TextDecoder::prompt_self_attention(const at::Tensor& qkv, const at::Tensor& history,
                                              const at::Tensor& rows) {
  const std::int64_t t = qkv.size(1);
  const at::Tensor by_head = qkv.view({qkv.size(0), t, 3, -1, head_dim}).permute({2, 0, 3, 1, 4});
  history.narrow(3, 0, t).index_copy_(1, rows, by_head.narrow(0, 1, 2));
  return merge_heads(at::scaled_dot_product_attention(by_head[0], by_head[1], by_head[2],
                                                      /*attn_mask=*/{}, /*dropout_p=*/0,
                                                      /*is_causal=*/true, /*scale=*/1.0));
}

// query [n, t, n_text_state], audio [2, slots, n_head, n_audio_ctx, 64]
at::Tensor TextDecoder::prompt_cross_attention(const at::Tensor& query, const at::Tensor& audio,
                                               const PromptBatch& batch) {
  const at::Tensor by_head = split_heads(query);
  std::vector<at::Tensor> attended;
  for (const PromptBatch::Run& run : batch.runs()) {
    attended.push_back(at::scaled_dot_product_attention(
        by_head.narrow(0, run.first_prompt, run.count),
        audio[0].narrow(0, run.first_window, run.count),
        audio[1].narrow(0, run.first_window, run.count), /*attn_mask=*/{}, /*dropout_p=*/0,
        /*is_causal=*/false, /*scale=*/1.0));
  }
  return merge_heads(attended.size() == 1 ? attended[0] : at::cat(attended));
}

}  // namespace engine
