#include "engine/whisper/torch_model/fused_decoder.h"

namespace engine {

at::Tensor FusedDecoder::step(const FusedInputs& inputs) const {
  const at::Tensor& embedding = weights_.token_embedding;
  const auto rows = inputs.slots.size(0);
  const at::Tensor x = at::empty({whole_tiles(rows), embedding.size(1)}, embedding.options());
  FusedStep step{.x = x,
                 .slots = inputs.slots,
                 .windows = inputs.windows,
                 .positions = at::empty_like(inputs.slots),
                 .history = {},
                 .audio = {},
                 .audio_bias = inputs.key_bias,
                 .rows = static_cast<int>(rows),
                 .length = inputs.length};
  kernels_.embed(
      {inputs.chosen, inputs.slots, embedding, weights_.positional_embedding, x, step.positions});
  const FusedBuffers buffers = make_buffers(x);
  for (std::size_t layer = 0; layer < weights_.layers.size(); ++layer) {
    const auto index = static_cast<std::int64_t>(layer);
    step.history = inputs.history[index];
    step.audio = inputs.audio.select(0, index);
    fused_layer(kernels_, weights_.layers[layer], step, buffers);
  }
  return logits(x, step.rows);
}

at::Tensor FusedDecoder::logits(const at::Tensor& x, int rows) const {
  const at::Tensor& weight = weights_.token_embedding;
  const at::Tensor out = at::empty({x.size(0), weight.size(0)}, x.options().dtype(at::kFloat));
  kernels_.linear({.x = x,
                   .matrix = {{weight}},
                   .norm_weight = weights_.norm_weight,
                   .norm_bias = weights_.norm_bias,
                   .epilogue = Epilogue::logits,
                   .out = out,
                   .rows = rows});
  return out.narrow(0, 0, rows);
}

}  // namespace engine
