#include "engine/speakers/recognizer/speaker_recognizer.h"

#include <utility>

#include "engine/audio/sample_rate.h"
#include "engine/speakers/speaker_listener.h"
#include "engine/speakers/speaker_protocol.h"
#include "engine/speakers/turns.h"

namespace engine {
namespace {

class SpeakerTranscription final : public Transcription {
 public:
  SpeakerTranscription(std::shared_ptr<const SpeakerNetworks> networks,
                       std::shared_ptr<const SileroWeights> vad, SpeakerBounds bounds,
                       std::vector<KnownVoice> voices)
      : listener_(std::move(networks), std::move(vad)),
        bounds_(bounds),
        voices_(std::move(voices)) {}

  Result<void> push(std::span<const float> pcm) override { return listener_.push(pcm); }
  Result<void> finish() override { return listener_.finish(); }

  Result<Recognized> transcribe(const Sound& sound, const protocol::TranscriptSink& sink) override {
    const Turns turns = find_turns(listener_.evidence(), bounds_, voices_);
    sink(protocol::SpeakersFound{.turns = protocol_turns(turns.all, turns.names)});
    return Recognized{{}, static_cast<double>(sound.samples) / sample_rate_hz};
  }

 private:
  SpeakerListener listener_;
  SpeakerBounds bounds_;
  std::vector<KnownVoice> voices_;
};

}  // namespace

Result<std::unique_ptr<Transcription>> SpeakerRecognizer::start(const TranscriptionRequest& request,
                                                                const std::stop_token& stop) {
  const auto bounds = speaker_bounds(request.options);
  if (!bounds) return bounds.error();
  auto voices = hear_known_voices(request.options.known_speakers, networks_, stop);
  if (!voices) return voices.error();
  return std::make_unique<SpeakerTranscription>(networks_, vad_, *bounds, *std::move(voices));
}

Result<Recognized> SpeakerRecognizer::transcribe_live(const TranscriptionRequest&,
                                                      const protocol::LiveOptions&, LiveSource&,
                                                      const protocol::TranscriptSink&,
                                                      const std::stop_token&) {
  return Error{Errc::invalid_option, "speaker labels need a complete recording",
               "Save the audio to a file first."};
}

}  // namespace engine
