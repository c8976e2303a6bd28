#include <ATen/ATen.h>

#include <limits>
#include <vector>

#include "engine/cuda_kernels/step_kernels.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/text_decoder.h"

// This file decodes one token of each row of several decodes, in two ways: each decode has memory
// of its own, or all lie in one place, where a step can be recorded.
namespace engine {
namespace {

// Returns `function` of the rows of each part, one below the other again.
template <class Function>
at::Tensor by_part(const at::Tensor& x, std::span<const StepPart> parts, Function function) {
  std::vector<at::Tensor> results;
  std::int64_t row = 0;
  for (const StepPart& part : parts) {
    const std::int64_t rows = part.cache->n_rows();
    results.push_back(function(x.narrow(0, row, rows), part));
    row += rows;
  }
  return results.size() == 1 ? results[0] : at::cat(results);
}

}  // namespace

at::Tensor TextDecoder::step(const at::Tensor& tokens, std::span<const StepPart> parts) const {
  std::vector<std::int64_t> positions;
  for (const StepPart& part : parts) {
    positions.insert(positions.end(), static_cast<std::size_t>(part.cache->n_rows()),
                     part.cache->length());
  }
  at::Tensor x = at::embedding(token_embedding_, tokens.to(placement_.device))
                     .to(scalar_type(placement_.type));
  const at::Tensor places = at::tensor(positions, at::kLong).to(placement_.device);
  x = (x + positional_embedding_.index_select(0, places)).unsqueeze(1);
  for (int layer = 0; layer < static_cast<int>(blocks_.size()); ++layer) {
    const Block& block = blocks_[static_cast<std::size_t>(layer)];
    x.add_(block.out(by_part(block.qkv(block.attn_ln(x)), parts,
                             [&](const at::Tensor& qkv, const StepPart& part) {
                               return self_attention(layer, qkv, *part.cache);
                             })));
    x.add_(block.cross_out(by_part(block.cross_query(block.cross_attn_ln(x)), parts,
                                   [&](const at::Tensor& query, const StepPart& part) {
                                     return cross_attention(layer, query, *part.audio,
                                                            /*capture=*/nullptr);
                                   })));
    x.add_(block.fc2(block.fc1(block.mlp_ln(x), Activation::gelu)));
  }
  for (const StepPart& part : parts) part.cache->advance(1);
  return x.squeeze(1);
}

// This function uses only operations that can be recorded: no sizes that depend on numbers, and
// nothing that waits.
at::Tensor TextDecoder::step(const StepInputs& inputs) const {
  const auto rows = inputs.tokens.size(0);
  const auto places = at::TensorOptions(placement_.device).dtype(at::kLong);
  const at::Tensor row_numbers = at::arange(rows, places);
  // It is added to the scores: made here, it is made once and not in every layer.
  const at::Tensor unseen = at::arange(inputs.length, places) > inputs.positions.unsqueeze(1);
  const at::Tensor mask = at::zeros({rows, 1, 1, inputs.length}, placement_.options())
                              .masked_fill_(unseen.view({rows, 1, 1, inputs.length}),
                                            -std::numeric_limits<double>::infinity());
  // The queries lie window by window, so a row's query tells its window.
  const at::Tensor windows =
      inputs.audio.is_int8()
          ? at::div(inputs.row_queries, inputs.query_rows.size(0) / inputs.windows, "floor")
          : at::Tensor();
  const at::Tensor audio_mask = inputs.key_bias.defined() && !inputs.audio.is_int8()
                                    ? mask_of(inputs.key_bias.narrow(0, 0, inputs.windows))
                                    : at::Tensor();
  at::Tensor x = at::embedding(token_embedding_, inputs.tokens).to(scalar_type(placement_.type));
  x = x + positional_embedding_.index_select(0, inputs.positions);
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    const Block& block = blocks_[layer];
    const auto index = static_cast<std::int64_t>(layer);
    x.add_(block.out(step_self_attention(block, block.attn_ln(x), inputs.history[index],
                                         row_numbers, mask, inputs.positions)));
    const at::Tensor query = block.cross_query(block.cross_attn_ln(x));
    const StoredRows audio = inputs.audio.select(0, index);
    x.add_(block.cross_out(audio.is_int8()
                               ? step_int8_attention(query, audio, windows, inputs)
                               : step_cross_attention(query, audio.values, inputs, audio_mask)));
    x.add_(block.fc2(block.fc1(block.mlp_ln(x), Activation::gelu)));
  }
  return to_logits_(ln_(x.index_select(0, inputs.wanted))).to(at::kFloat);
}

// history [2, slots, n_head, n_text_ctx, 64]: row i writes to slot i and reads it.
at::Tensor TextDecoder::step_self_attention(const Block& block, const at::Tensor& x,
                                            const at::Tensor& history, const at::Tensor& rows,
                                            const at::Tensor& mask,
                                            const at::Tensor& positions) const {
  const auto n = x.size(0);
  const at::Tensor qkv = block.qkv(x).view({n, 3, -1, head_dim});
  const at::Tensor kept = history.narrow(1, 0, n);
  at::Tensor by_position = kept.permute({1, 3, 0, 2, 4});
  by_position.index_put_({rows, positions}, qkv.narrow(1, 1, 2));
  const at::Tensor read = kept.narrow(3, 0, mask.size(-1));
  const at::Tensor query = qkv.select(1, 0).unsqueeze(2);
  return at::scaled_dot_product_attention(query, read[0], read[1], mask, /*dropout_p=*/0,
                                          /*is_causal=*/false, /*scale=*/1.0)
      .reshape({n, -1});
}

at::Tensor TextDecoder::step_cross_attention(const at::Tensor& query, const at::Tensor& audio,
                                             const StepInputs& inputs, const at::Tensor& mask) {
  const std::int64_t windows = inputs.windows;
  const at::Tensor by_window = query.index_select(0, inputs.query_rows)
                                   .view({windows, -1, audio.size(2), head_dim})
                                   .transpose(1, 2);
  const at::Tensor attended = at::scaled_dot_product_attention(
      by_window, audio[0].narrow(0, 0, windows), audio[1].narrow(0, 0, windows),
      optional_mask(mask), /*dropout_p=*/0, /*is_causal=*/false, /*scale=*/1.0);
  return attended.transpose(1, 2).reshape({-1, query.size(1)}).index_select(0, inputs.row_queries);
}

at::Tensor TextDecoder::step_int8_attention(const at::Tensor& query, const StoredRows& audio,
                                            const at::Tensor& windows, const StepInputs& inputs) {
  const at::Tensor attended = at::empty_like(query);
  inputs.kernels->attention({.query = query,
                             .keys = audio.select(0, 0),
                             .values = audio.select(0, 1),
                             .key_bias = inputs.key_bias,
                             .slots = windows,
                             .out = attended,
                             .rows = static_cast<int>(query.size(0)),
                             .length = static_cast<int>(audio.values.size(3))});
  return attended;
}

}  // namespace engine
