#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/audio/pcm_sink.h"
#include "engine/vad/silero_vad.h"

namespace engine {

// The listener that finds out how likely there is speech in each chunk of 512 samples.
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

  // 450 kB an hour. Complete once it has finished.
  const std::vector<float>& probabilities() const { return probabilities_; }

 private:
  SileroVad vad_;
  std::vector<float> probabilities_;
};

}  // namespace engine
