#pragma once

#include <cstdint>

namespace platform {

// The sizes of a model of an encoder and a decoder, from which follows how much memory it needs.
struct ModelSize {
  std::int64_t parameters = 0;
  int d_model = 0;
  int heads = 0;
  // The width of all heads together, where the engine computes wider heads than the model has; 0:
  // d_model.
  int encoder_heads_width = 0;
  int decoder_heads_width = 0;
  int encoder_layers = 0;
  int decoder_layers = 0;
  int encoder_positions = 0;  // of one window of sound
  int decoder_positions = 0;  // at most
  int vocabulary = 0;
};

// The functions below say how many numbers the parts of such a model are, and what it computes
// with; times the bytes of a number that is memory. Whoever plans memory, estimates it or counts
// what has to be read of it uses these.

constexpr std::int64_t square_matrix(const ModelSize& model) {
  return std::int64_t{model.d_model} * model.d_model;
}

// The query, key, value or output of an attention whose heads are so wide together; 0: d_model.
constexpr std::int64_t attention_matrix(const ModelSize& model, int heads_width) {
  return std::int64_t{model.d_model} * (heads_width > 0 ? heads_width : model.d_model);
}

// A layer of the encoder has query, key, value and output, and two matrices of the MLP, which is
// four times as wide.
constexpr std::int64_t encoder_layer_weights(const ModelSize& model) {
  return (4 * attention_matrix(model, model.encoder_heads_width) + 8 * square_matrix(model)) *
         model.encoder_layers;
}

// The weights of the decoder's layers that a token reads: as many as an encoder's layer has and,
// for the cross-attention, query and output.
constexpr std::int64_t decoder_layer_weights(const ModelSize& model) {
  return ((4 + 2) * attention_matrix(model, model.decoder_heads_width) + 8 * square_matrix(model)) *
         model.decoder_layers;
}

// The cross-attention's key and value matrices, which a window reads once.
constexpr std::int64_t cross_weights(const ModelSize& model) {
  return 2 * attention_matrix(model, model.decoder_heads_width) * model.decoder_layers;
}

// The zeros that make heads wider than the model has them. They are no parameters.
constexpr std::int64_t filled_up_weights(const ModelSize& model) {
  ModelSize plain = model;
  plain.encoder_heads_width = plain.decoder_heads_width = 0;
  return encoder_layer_weights(model) + decoder_layer_weights(model) + cross_weights(model) -
         encoder_layer_weights(plain) - decoder_layer_weights(plain) - cross_weights(plain);
}

// The embedding of the tokens, which is the last product's matrix, too.
constexpr std::int64_t vocabulary_weights(const ModelSize& model) {
  return std::int64_t{model.vocabulary} * model.d_model;
}

// The first convolution reads so many mel bins at once, the second one what the first has made.
constexpr std::int64_t first_convolution_weights(const ModelSize& model, int mels) {
  return std::int64_t{3} * mels * model.d_model;
}
constexpr std::int64_t second_convolution_weights(const ModelSize& model) {
  return 3 * square_matrix(model);
}

// Keys and values of so many positions in all layers of the decoder: the tokens of one row, or the
// positions of one window.
constexpr std::int64_t keys_and_values(const ModelSize& model, std::int64_t positions) {
  const int width = model.decoder_heads_width > 0 ? model.decoder_heads_width : model.d_model;
  return std::int64_t{2} * model.decoder_layers * width * positions;
}

// The encoder's activations of a window at their peak, 16 for each number of its output: the
// convolutions of its frames, of which there are two for a position, or a layer's input, norm and
// the two sides of its MLP, with room for what libraries put beside them.
constexpr std::int64_t encoder_activations(const ModelSize& model) {
  return std::int64_t{16} * model.encoder_positions * model.d_model;
}

// The bytes of the scores of a window where they are stored, with their softmax: float32, whatever
// the model's type.
constexpr std::int64_t encoder_score_bytes(const ModelSize& model) {
  return std::int64_t{2} * 4 * model.heads * model.encoder_positions * model.encoder_positions;
}

// The bytes of a row's logits while its token is chosen: in the model's type, in float32, masked
// and as log probabilities, which tokens are forbidden, and the noise of samples while it is made.
constexpr std::int64_t row_choice_bytes(const ModelSize& model) {
  return std::int64_t{48} * model.vocabulary;
}

}  // namespace platform
