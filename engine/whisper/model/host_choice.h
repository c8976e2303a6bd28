#pragma once

#include <memory>
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

 private:
  std::vector<StepOutcome> outcomes_;
};

// Chooses for decodes whose states have a `chooser`, a HostChooser.
//   logits  the rows of the first, those of the second, …, which are changed
template <class State>
std::unique_ptr<PendingStep> choose_on_host(std::span<DecodeState* const> states,
                                            LogitRows logits) {
  std::vector<StepOutcome> outcomes;
  for (DecodeState* state : states) {
    HostChooser& chooser = static_cast<State&>(*state).chooser;
    outcomes.push_back(chooser.choose(logits.first(chooser.n_rows())));
    logits = logits.behind(chooser.n_rows());
  }
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

}  // namespace engine
