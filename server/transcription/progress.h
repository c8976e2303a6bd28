#pragma once

#include <optional>
#include <string>

namespace server {

// What a transcription is doing, in the order of its life.
enum class TranscriptionPhase {
  queued,  // also while it waits for other transcriptions to leave a model
  fetching_model,
  loading_model,
  listening,  // its sound is taken in, before anything is decided
  transcribing,
  ended
};

const char* name(TranscriptionPhase phase);  // "queued", …

// How far a transcription is: the figures that REST, MCP and the terminal show, all the same.
// ProgressMeter makes them. Seconds are seconds of sound, where nothing else is said.
struct TranscriptionProgress {
  TranscriptionPhase phase = TranscriptionPhase::queued;
  double listened = 0;  // that the worker has taken in; the text of them is not decided yet
  double position = 0;  // everything before it is decided; never more than the duration
  double duration = 0;  // 0 while it is not known
  std::optional<double> percent{};   // of the sound that is to be transcribed; where that is known
  std::optional<double> speed{};     // × real time, once it is steady
  std::optional<double> left_s{};    // of the clock on the wall, as long as the speed stays
  std::optional<int> queue_place{};  // 1: it is the next to begin

  bool operator==(const TranscriptionProgress&) const = default;
};

// One sentence without an end: "transcribing 4:10 of 36:00 (11.5%), 8.4x real time, 3:50 left".
// What is not known is left out.
std::string progress_text(const TranscriptionProgress& progress);

// "8.4x"
std::string speed_text(double speed);

}  // namespace server
