#pragma once

#include <memory>

#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/choice/logit_row.h"
#include "engine/whisper/choice/step_outcome.h"

namespace engine {

// Chooses the next token of every row from its filtered logits. openai/whisper decoding.py
// `TokenDecoder.update`.
class TokenChooser {
 public:
  virtual ~TokenChooser() = default;

  // position  of the last token that was read
  // outcome   receives `rows` and `ended`
  virtual void choose(const LogitRows& logits, int position, StepOutcome& outcome) = 0;
};

// Takes the likeliest token at temperature 0; above it, a sample. Each row is a sequence of its
// own. The same seed gives the same samples.
std::unique_ptr<TokenChooser> make_greedy(const ChoiceOptions& options, int eot);

// Searches with beams.
std::unique_ptr<TokenChooser> make_beam_search(int beam_size, int eot);

}  // namespace engine
