#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/torch/download.h"
#include "engine/whisper/device_choice/choice_batch.h"
#include "engine/whisper/model/model.h"

namespace engine {

// A step on a device that chooses there: what was said is on its way to the host.
class DeviceStep : public PendingStep {
 public:
  explicit DeviceStep(std::size_t decodes) : outcomes_(decodes) {}

  // places  where the decodes of the batch are among those that were handed in
  void add(ChoiceBatch batch, std::vector<std::size_t> places, const at::Tensor& said) {
    parts_.push_back({std::move(batch), std::move(places), Download(said)});
  }

  std::vector<StepOutcome> outcomes() override {
    for (Part& part : parts_) {
      std::vector<StepOutcome> said = part.batch.outcomes(part.said.wait());
      for (std::size_t i = 0; i < said.size(); ++i) outcomes_[part.places[i]] = std::move(said[i]);
    }
    return std::move(outcomes_);
  }

 private:
  struct Part {
    ChoiceBatch batch;
    std::vector<std::size_t> places;
    Download said;
  };

  std::vector<Part> parts_;
  std::vector<StepOutcome> outcomes_;
};

}  // namespace engine
