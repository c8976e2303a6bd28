#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/decoder_messages.h"
#include "protocol/transcript.h"

// What a transcription tells while it runs: one stream of events, from the worker that decides them
// to whoever reads them. How it ends is no event, but what the call returns.
namespace protocol {

// The transcription waits for its model. It may be told again.
struct ModelLoading {};

// The model is there, and the transcription begins.
struct ModelLoaded {
  std::string device{};
  std::string compute_type{};
  std::vector<std::string> notes{};  // for the user, for instance why this compute type was chosen
};

struct LanguageDetected {
  std::string language{};  // a code
  double probability = 0;
};

enum class ProgressPhase { listening, transcribing };

// All sound before the position was taken in (listening), or its text is decided (transcribing).
struct Progress {
  double position_s = 0;
  double duration_s = 0;  // 0 while it is not known
  ProgressPhase phase = ProgressPhase::transcribing;
};

// The format of a file comes before a model is loaded for it; input that may pause has none. A
// segment is final, and comes once and in order. A LiveText replaces the one before, and comes
// behind the segments that were decided by the same look at the sound.
using TranscriptEvent = std::variant<decoder::Format, ModelLoading, ModelLoaded, LanguageDetected,
                                     Progress, Segment, LiveText>;

// Hears all events of one transcription, in order and on the thread that runs it. An exception ends
// the transcription and reaches its caller.
using TranscriptSink = std::function<void(const TranscriptEvent&)>;

}  // namespace protocol
