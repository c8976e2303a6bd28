#include "engine/whisper/model/fused_decoder.h"

namespace engine {

at::Tensor FusedDecoder::step(const FusedInputs& inputs) const {
  FusedStep step{.x = embed(inputs),
                 .slots = inputs.slots,
                 .windows = inputs.windows,
                 .positions = inputs.positions,
                 .history = {},
                 .audio = {},
                 .rows = static_cast<int>(inputs.slots.size(0)),
                 .length = inputs.length};
  const FusedBuffers buffers = make_buffers(step.x);
  for (std::size_t layer = 0; layer < weights_.layers.size(); ++layer) {
    const auto index = static_cast<std::int64_t>(layer);
    step.history = inputs.history[index];
    step.audio = inputs.audio[index];
    fused_layer(*kernels_, weights_.layers[layer], step, buffers);
  }
  return logits(step.x, step.rows);
}

// Returns whole tiles of rows; those beyond the step's hold any numbers.
at::Tensor FusedDecoder::embed(const FusedInputs& inputs) const {
  const at::Tensor& embedding = weights_.token_embedding;
  const std::int64_t rows = inputs.tokens.size(0);
  const at::Tensor x = at::empty({whole_tiles(rows), embedding.size(1)}, embedding.options());
  at::Tensor of_rows = x.narrow(0, 0, rows);
  at::add_out(of_rows, at::embedding(embedding, inputs.tokens),
              weights_.positional_embedding.index_select(0, inputs.positions));
  return x;
}

at::Tensor FusedDecoder::logits(const at::Tensor& x, int rows) const {
  const at::Tensor& weight = weights_.token_embedding;
  const at::Tensor out = at::empty({x.size(0), weight.size(0)}, x.options().dtype(at::kFloat));
  kernels_->linear({.x = x,
                    .weight = weight,
                    .norm_weight = weights_.norm_weight,
                    .norm_bias = weights_.norm_bias,
                    .epilogue = Epilogue::logits,
                    .out = out,
                    .rows = rows});
  return out.narrow(0, 0, rows);
}

}  // namespace engine
