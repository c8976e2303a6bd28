#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/audio/pcm_sink.h"
#include "engine/vad/silero_vad.h"

namespace engine {

// Finds out how likely there is speech in each chunk of 512 samples.
class SpeechListener : public PcmSink {
 public:
  explicit SpeechListener(std::shared_ptr<const SileroWeights> weights)
      : vad_(std::move(weights)) {}

  Result<void> push(std::span<const float> pcm) override {
    vad_.push(pcm, probabilities_);
    return {};
  }
  Result<void> finish() override {
    vad_.finish(probabilities_);
    return {};
  }

  // The probabilities take 450 kB an hour, and are complete once the listener has finished.
  const std::vector<float>& probabilities() const { return probabilities_; }

 private:
  SileroVad vad_;
  std::vector<float> probabilities_;
};

}  // namespace engine
