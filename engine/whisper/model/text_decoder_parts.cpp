#include <ATen/ATen.h>

#include <vector>

#include "engine/whisper/model/text_decoder.h"

namespace engine {
namespace {

// `function` of the rows of each part, one below the other again.
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

}  // namespace engine
