#pragma once

#include <memory>
#include <optional>

#include "engine/speakers/clustering.h"
#include "engine/speakers/speaker_listener.h"
#include "engine/speakers/word_speakers.h"
#include "engine/worker/worker_model.h"
#include "protocol/transcript_event.h"

namespace engine {

// Tells the speakers of one transcription apart, where its options ask for that.
class Diarization {
 public:
  // Without `options.diarize` it does nothing. Fails with invalid_option or unusable_clip, and with
  // not_found where the networks are not installed.
  static Result<Diarization> start(const protocol::TranscribeOptions& options,
                                   const WorkerModel& model);

  // Returns what has to listen to the sound; null: nothing.
  PcmSink* listener() { return listener_.get(); }

  // Ends the listening. Tells `sink` who speaks when, and returns the sink for the segments: they
  // reach `sink` with their speakers. `sink` must outlive it.
  protocol::TranscriptSink label(const protocol::TranscriptSink& sink);

 private:
  std::unique_ptr<SpeakerListener> listener_;
  SpeakerBounds bounds_;
  std::vector<KnownVoice> voices_;
};

}  // namespace engine
