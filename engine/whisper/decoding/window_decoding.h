#pragma once

#include <ATen/ATen.h>

#include <memory>

#include "engine/whisper/decoding/decoding_options.h"
#include "engine/whisper/decoding/initial_tokens.h"
#include "engine/whisper/decoding/logit_filters.h"
#include "engine/whisper/decoding/token_decoder.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// Decodes one window at one temperature, without the model: it says which tokens to run and takes
// the logits. Whoever has the model may so step many of these together. openai/whisper decoding.py
// `DecodingTask`.
class WindowDecoding {
 public:
  // The tokenizer must outlive it. Fails with invalid_option.
  static Result<WindowDecoding> create(const DecodingOptions& options, const Tokenizer& tokenizer,
                                       const ModelDims& dims);

  int n_rows() const { return options_.n_rows(); }
  // Returns the prompt, the same for every row.
  const InitialTokens& initial_tokens() const { return initial_; }

  // Takes the logits [n_vocab] after the sot token, unfiltered.
  void read_no_speech_prob(const at::Tensor& logits);

  // Takes the logits [n_rows, n_vocab] float32 after the last token; they are masked in place.
  // Returns true when the window is decoded. Throws Exception (non_finite_logits).
  bool accept(at::Tensor logits);
  // Return what to run next, by row, and which row's history each continues (empty: its own).
  std::vector<std::int64_t> next_tokens() const;
  const std::vector<int>& source_rows() const { return decoder_->source_rows(); }

  DecodingResult finish();

 private:
  WindowDecoding(const DecodingOptions& options, InitialTokens initial, const Tokenizer& tokenizer,
                 const ModelDims& dims);
  bool is_caught_in_loop() const;

  DecodingOptions options_;
  InitialTokens initial_;
  const Tokenizer* tokenizer_;
  int n_text_ctx_;
  int sample_len_;
  LogitFilters filters_;
  std::unique_ptr<TokenDecoder> decoder_;
  double no_speech_prob_ = 0;
};

}  // namespace engine
