#pragma once

#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/decoding/decoding_options.h"
#include "engine/whisper/decoding/initial_tokens.h"
#include "engine/whisper/decoding/sequences.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// Keeps the books of one window's decode at one temperature: it says how the decode begins and by
// which rules its tokens are chosen, takes what was chosen, and makes the result. The model is
// somebody else's, who may so step many of these together. openai/whisper decoding.py
// `DecodingTask`.
class WindowDecoding {
 public:
  // The tokenizer must outlive it. Fails with invalid_option.
  static Result<WindowDecoding> create(const DecodingOptions& options, const Tokenizer& tokenizer,
                                       const ModelDims& dims);

  const ChoiceOptions& choice() const { return choice_; }
  // Returns the prompt, the same for every row.
  const InitialTokens& initial_tokens() const { return initial_; }
  // Returns how many steps it may take behind the prompt, which gives the first tokens.
  int most_steps() const { return most_tokens_ - 1; }

  // Takes what the prompt or a step chose. Returns true when the window is decoded. Throws
  // Exception (non_finite_logits) and std::bad_alloc.
  bool accept(const StepOutcome& outcome);

  DecodingResult finish() const;

 private:
  WindowDecoding(const DecodingOptions& options, InitialTokens initial, const Tokenizer& tokenizer,
                 const ModelDims& dims);
  bool is_caught_in_loop() const;

  DecodingOptions options_;
  InitialTokens initial_;
  const Tokenizer* tokenizer_;
  int most_tokens_;
  ChoiceOptions choice_;
  Sequences sequences_;
  double no_speech_prob_ = 0;
};

}  // namespace engine
