#pragma once

#include <memory>
#include <string>

#include "engine/recognizer/recognizer.h"
#include "engine/speakers/recognizer/family.h"
#include "engine/speakers/speaker_networks.h"
#include "engine/vad/silero_weights.h"

namespace engine {

// Tells who speaks when, and nothing of what is said.
class SpeakerRecognizer : public Recognizer {
 public:
  // `vad` may be null, see load_second_opinion().
  SpeakerRecognizer(std::shared_ptr<const SpeakerNetworks> networks,
                    std::shared_ptr<const SileroWeights> vad)
      : networks_(std::move(networks)), vad_(std::move(vad)) {}

  const Capabilities& capabilities() const override { return capabilities_; }
  Result<std::unique_ptr<Transcription>> start(const TranscriptionRequest& request,
                                               const std::stop_token& stop) override;
  // Speakers are known when the whole recording was heard, so this fails.
  Result<Recognized> transcribe_live(const TranscriptionRequest& request,
                                     const protocol::LiveOptions& live, LiveSource& source,
                                     const protocol::TranscriptSink& sink,
                                     const std::stop_token& stop) override;

 private:
  std::shared_ptr<const SpeakerNetworks> networks_;
  std::shared_ptr<const SileroWeights> vad_;
  Capabilities capabilities_{std::string(SpeakersFamily::name), true};
};

}  // namespace engine
