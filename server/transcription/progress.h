#pragma once

#include <optional>
#include <string>

namespace server {

// The phase of a transcription, in order.
enum class TranscriptionPhase {
  queued,  // also while it waits for other transcriptions to leave a model
  fetching_model,
  loading_model,
  listening,  // its sound is taken in, before anything is decided
  transcribing,
  diarizing,  // its text is decided, and its speakers are still told apart
  ended
};

const char* name(TranscriptionPhase phase);  // "queued", …

// The progress of a transcription: the figures that REST, MCP and the terminal show alike.
// ProgressMeter makes them. Seconds are seconds of sound unless noted.
struct TranscriptionProgress {
  TranscriptionPhase phase = TranscriptionPhase::queued;
  double listened = 0;              // what the worker has taken in, decided or not
  double position = 0;              // everything before it is decided; never more than the duration
  double diarized = 0;              // 0: unknown; everything before it was heard for its voices
  double duration = 0;              // 0: unknown
  std::optional<double> percent{};  // of the sound that is to be transcribed, if known
  std::optional<double> speed{};    // × real time, once it is steady
  std::optional<double> left_s{};   // wall-clock seconds, at the present speed
  std::optional<int> queue_place{};  // 1: it begins next

  bool operator==(const TranscriptionProgress&) const = default;
};

// Returns a phrase: "transcribing 4:10 of 36:00 (11.5%), 8.4x real time, 3:50 left". Unknown
// figures are left out.
std::string progress_text(const TranscriptionProgress& progress);

// Returns a speed as in "8.4x".
std::string speed_text(double speed);

}  // namespace server
