#pragma once

#include <optional>

#include "engine/error.h"
#include "engine/weights/tensor.h"
#include "engine/whisper/constants.h"

namespace engine {

// The dimensions of a model, by openai/whisper's names.
struct ModelDims {
  int n_mels = 0;
  int n_audio_ctx = 0;
  int n_audio_state = 0;
  int n_audio_head = 0;
  int n_audio_layer = 0;
  int n_vocab = 0;
  int n_text_ctx = 0;
  int n_text_state = 0;
  int n_text_head = 0;
  int n_text_layer = 0;

  bool operator==(const ModelDims&) const = default;
};

// The numbers of heads. No tensor shows them, so only a file that states them has them.
struct HeadCounts {
  int audio = 0;
  int text = 0;
};

// No model is wider, n_audio_state and n_text_state: large ones have 1280.
inline constexpr int max_width = 5120;

// Returns the width of all heads as the models compute them: those narrower than head_dim are
// filled up with zeros. It is n_audio_state and n_text_state for OpenAI's models.
constexpr int audio_heads_width(const ModelDims& dims) {
  return dims.n_audio_head * head_dim;
}
constexpr int text_heads_width(const ModelDims& dims) {
  return dims.n_text_head * head_dim;
}
inline constexpr int max_attention_width = 4 * max_width;

// Returns the dimensions of the tensors. Without head counts, every head is 64 wide, as in each
// model that OpenAI and distil-whisper published. The tokenizer judges whether the vocabulary's
// size is that of a known model. Throws engine::Exception naming the first tensor that is missing
// (refused_model) or odd (damaged_model), and where nothing tells the heads (refused_model).
ModelDims derive_dims(const TensorTable& tensors, std::optional<HeadCounts> heads = {});

// Checks that the table holds exactly the tensors of a model of these dimensions, each with its
// shape and a numeric type. Throws engine::Exception naming the first that is wrong: refused_model
// where it is that of another model, damaged_model where it cannot be one.
void validate_tensors(const TensorTable& tensors, const ModelDims& dims);

// Throws engine::Exception (damaged_model) naming the first dimension in which `declared`, from the
// file's header, differs from that of its tensors.
void require_equal(const ModelDims& declared, const ModelDims& derived);

// Checks that heads can be computed: at most head_dim wide, in a model whose width is a multiple of
// it. Fails with refused_model.
Result<void> check_heads(const ModelDims& dims);

}  // namespace engine
