#pragma once

#include <optional>

#include "engine/weights/tensor.h"

namespace engine {

// openai/whisper's names.
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

// The number of heads shows in no tensor: a file that knows it says so.
struct HeadCounts {
  int audio = 0;
  int text = 0;
};

// The dimensions that the tensors have. Without head counts, every head is 64 wide, as in each
// model that OpenAI and distil-whisper published. Whether the vocabulary's size and the mel bins
// are of a known model is for the tokenizer and the front end to judge.
// Throws engine::Exception (damaged_model) naming the first tensor that is missing or odd.
ModelDims derive_dims(const TensorTable& tensors, std::optional<HeadCounts> heads = {});

// Checks that the table holds exactly the tensors of a model of these dimensions, each of its shape
// and of numbers. Throws engine::Exception (damaged_model) naming the first that is not so.
void validate_tensors(const TensorTable& tensors, const ModelDims& dims);

// Throws engine::Exception (damaged_model) naming the first dimension in which `declared`, what
// the file's header says, differs from what its tensors have.
void require_equal(const ModelDims& declared, const ModelDims& derived);

}  // namespace engine
