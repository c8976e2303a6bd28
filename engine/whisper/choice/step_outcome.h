#pragma once

#include <optional>
#include <vector>

namespace engine {

// The token that one row of a decode took.
struct ChosenToken {
  int source = 0;  // whose history the row continues
  int token = 0;
  float logprob = 0;      // of the token, among those that the rules allow
  float sum_logprob = 0;  // of the row's tokens with this one, added in float32

  bool operator==(const ChosenToken&) const = default;
};

// A beam whose sequence ended at this step.
struct EndedBeam {
  int source = 0;         // the row whose tokens before this step it has
  float sum_logprob = 0;  // eot included

  bool operator==(const EndedBeam&) const = default;
};

// The choice of a step for one decode. A row of a search without beams that has ended goes on with
// eot, and adds nothing to its sum.
struct StepOutcome {
  std::vector<ChosenToken> rows{};
  std::vector<EndedBeam> ended{};         // of a beam search, the likeliest first
  std::optional<float> no_speech_prob{};  // after a prompt: read where its sot token is
  bool finite = true;          // else the logits were no numbers, and the rest is nothing
  bool out_of_memory = false;  // the choice lacked memory, and the rest is nothing

  bool operator==(const StepOutcome&) const = default;
};

}  // namespace engine
