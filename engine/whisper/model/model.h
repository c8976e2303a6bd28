#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/whisper/weights/dims.h"

namespace engine {

// An encoded window of 30 seconds, as the decoder reads it. It is immutable; many decodes may share
// it.
class EncodedAudio {
 public:
  virtual ~EncodedAudio() = default;
};
using EncodedWindow = std::shared_ptr<const EncodedAudio>;

// The rows of one decode, its beams or its samples, with what the model remembers of their tokens.
class DecodeState {
 public:
  virtual ~DecodeState() = default;
};

// The next token of every row of one decode.
struct DecodeStep {
  DecodeState* state = nullptr;
  std::vector<std::int64_t> tokens;  // by row
  std::span<const int> source_rows;  // whose history each row continues; empty: its own
};

// The attention says where the decoder looked while it read some tokens, and how likely it found
// each of them.
struct TokenAttention {
  at::Tensor weights;        // [heads, tokens, n_audio_ctx] float32 on the CPU; a row sums to 1
  at::Tensor probabilities;  // [tokens - 1] float32: of tokens[i + 1], see token_probabilities
};

// A Whisper model on one device. One thread at a time uses it; it throws what libtorch throws.
class Model {
 public:
  virtual ~Model() = default;

  virtual const ModelDims& dims() const = 0;

  // mel [n_mels, 3000] float32, on the CPU
  virtual EncodedWindow encode(const at::Tensor& mel) = 0;

  virtual std::unique_ptr<DecodeState> start(EncodedWindow window, int n_rows) = 0;

  // Reads the tokens that all rows begin with, once.
  // returns [positions, n_vocab] float32 on the CPU: the logits after the tokens at `positions`
  virtual at::Tensor read_prompt(DecodeState& state, std::span<const int> tokens,
                                 std::span<const int> positions) = 0;

  // Runs one token of every row of several decodes together.
  // returns [rows of the first + rows of the second + …, n_vocab] float32 on the CPU
  virtual at::Tensor step(std::span<const DecodeStep> steps) = 0;

  // Reads `tokens`, which are known, in one pass, for the times of words.
  //   tokens  at least two, at most n_text_ctx
  //   n_text  ids below it are text
  //   heads   (layer, head) pairs whose cross-attention is wanted, in this order; at least one
  virtual TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens,
                                int n_text, std::span<const std::pair<int, int>> heads) = 0;
};

}  // namespace engine
