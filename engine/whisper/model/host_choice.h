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
//   logits  [rows of the first + rows of the second + …, n_vocab] float32 on the CPU; are changed
template <class State>
std::unique_ptr<PendingStep> choose_on_host(std::span<DecodeState* const> states,
                                            const at::Tensor& logits) {
  std::vector<StepOutcome> outcomes;
  std::int64_t row = 0;
  for (DecodeState* state : states) {
    HostChooser& chooser = static_cast<State&>(*state).chooser;
    outcomes.push_back(chooser.choose(logits.narrow(0, row, chooser.n_rows())));
    row += chooser.n_rows();
  }
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

}  // namespace engine
