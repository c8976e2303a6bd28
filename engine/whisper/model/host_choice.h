#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/whisper/choice/host_chooser.h"
#include "engine/whisper/model/model.h"

namespace engine {

// A step that is done.
class ReadyStep : public PendingStep {
 public:
  explicit ReadyStep(std::vector<StepOutcome> outcomes) : outcomes_(std::move(outcomes)) {}
  std::vector<StepOutcome> outcomes() override { return std::move(outcomes_); }
  // For the model that fills them in before it returns the step.
  std::span<StepOutcome> outcomes_in_place() { return outcomes_; }

 private:
  std::vector<StepOutcome> outcomes_;
};

// A decode that chooses on the CPU, and its rows.
struct HostChoice {
  HostChooser* chooser = nullptr;
  LogitRows logits{};
};

// Returns the decodes, whose states have a `chooser`, a HostChooser. They may choose on several
// threads.
//   logits  the rows of the first, those of the second, …, which are changed
template <class State>
std::vector<HostChoice> host_choices(std::span<DecodeState* const> states, LogitRows logits) {
  std::vector<HostChoice> choices;
  for (DecodeState* state : states) {
    HostChooser& chooser = static_cast<State&>(*state).chooser;
    choices.push_back({&chooser, logits.first(chooser.n_rows())});
    logits = logits.behind(chooser.n_rows());
  }
  return choices;
}

}  // namespace engine
