#pragma once

#include <memory>
#include <utility>

#include "engine/audio/pcm_sink.h"
#include "engine/speakers/speaker_analysis.h"

namespace engine {

// Finds out who speaks when, as far as the networks tell; find_turns() makes turns of its evidence.
// Exceptions of the device go through.
class SpeakerListener : public PcmSink {
 public:
  explicit SpeakerListener(std::shared_ptr<const SpeakerNetworks> networks,
                           std::shared_ptr<const SileroWeights> vad = nullptr)
      : analysis_(std::move(networks), std::move(vad)) {}

  Result<void> push(std::span<const float> pcm) override {
    analysis_.push(pcm);
    return {};
  }
  Result<void> finish() override {
    analysis_.finish();
    return {};
  }

  // The evidence is complete once the listener has finished.
  const SpeakerEvidence& evidence() const { return analysis_.evidence(); }

 private:
  SpeakerAnalysis analysis_;
};

}  // namespace engine
