#pragma once

#include <algorithm>

#include "engine/whisper/weights/dims.h"
#include "platform/model_size.h"

namespace engine {

// Returns a model's sizes as the formulas of memory take them (platform/model_size.h). Norms and
// biases are not counted, and neither the encoder's positions nor the zeros of narrow heads are
// parameters.
constexpr platform::ModelSize size_of(const ModelDims& dims) {
  platform::ModelSize size{.d_model = dims.n_audio_state,
                           .heads = dims.n_audio_head,
                           .encoder_layers = dims.n_audio_layer,
                           .decoder_layers = dims.n_text_layer,
                           .encoder_positions = dims.n_audio_ctx,
                           .decoder_positions = dims.n_text_ctx,
                           .vocabulary = dims.n_vocab};
  size.parameters = encoder_layer_weights(size) + decoder_layer_weights(size) +
                    cross_weights(size) + vocabulary_weights(size) +
                    std::int64_t{size.d_model} * size.decoder_positions +
                    first_convolution_weights(size, dims.n_mels) + second_convolution_weights(size);
  size.encoder_heads_width = std::max(audio_heads_width(dims), dims.n_audio_state);
  size.decoder_heads_width = std::max(text_heads_width(dims), dims.n_text_state);
  return size;
}

}  // namespace engine
