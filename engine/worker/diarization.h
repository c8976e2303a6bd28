#pragma once

#include <memory>
#include <stop_token>

#include "engine/speakers/live_speakers.h"
#include "engine/speakers/speaker_thread.h"
#include "engine/worker/worker_model.h"
#include "protocol/transcript_event.h"

namespace engine {

// Returns what names the speakers of a live session's turns; null where its options do not ask for
// that. Errors are those of Diarization::start().
Result<std::unique_ptr<LiveSpeakers>> live_speakers(const protocol::TranscribeOptions& options,
                                                    const WorkerModel& model,
                                                    const std::stop_token& stop);

// Tells the speakers of one transcription apart, where its options ask for that, while it is
// transcribed.
class Diarization {
 public:
  // Without `diarize` it does nothing. Fails with invalid_option or unusable_clip, and with
  // not_found where the networks are not installed; cancelled on a stop request.
  static Result<Diarization> start(const TranscriptionRequest& request, const WorkerModel& model,
                                   const std::stop_token& stop);

  // Returns what has to listen to the sound; null: nothing.
  PcmSink* listener() { return thread_.get(); }

  // Waits until the speakers of the recording are told apart, and tells `sink` how far that is and
  // who speaks when. Fails as SpeakerThread::turns().
  Result<void> finish(double duration_s, const protocol::TranscriptSink& sink,
                      const std::stop_token& stop);

 private:
  std::unique_ptr<SpeakerThread> thread_;
};

}  // namespace engine
