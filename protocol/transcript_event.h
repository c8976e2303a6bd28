#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/decoder_messages.h"
#include "protocol/live_events.h"
#include "protocol/transcript.h"

// A running transcription reports one stream of events, from the worker that decides them to the
// sink that reads them. Its end is no event: it is the result of the call.
namespace protocol {

// The transcription waits for its model. The event may be repeated.
struct ModelLoading {};

// The model is loaded, and the transcription begins.
struct ModelLoaded {
  std::string device{};
  std::string compute_type{};
  std::vector<std::string> notes{};  // for the user, for instance why this compute type was chosen
  std::int64_t process = 0;          // the worker's; 0: unknown. It is not sent.
};

// The likeliest languages of a recording of which only the language is wanted, best first. The
// event comes before LanguageDetected.
struct LikeliestLanguages {
  std::vector<LanguageDetected> languages{};
};

// The turns of all speakers of a recording, in the order of their starts. The event comes after the
// last segment: name_speakers() (word_speakers.h) says what it means for the segments.
struct SpeakersFound {
  std::vector<SpeakerTurn> turns{};      // those of others may overlap
  std::vector<SpeakerTurn> exclusive{};  // one speaker at a time, for words
};

enum class ProgressPhase { listening, transcribing, diarizing };

// All sound before the position was taken in (listening), its text is decided (transcribing), or
// its voices were heard (diarizing, which is told of once all text is decided).
struct Progress {
  double position_s = 0;
  double duration_s = 0;  // 0: unknown
  ProgressPhase phase = ProgressPhase::transcribing;
};

// The format of a file comes before a model is loaded for it; input that may pause has none. A
// segment is final, and comes once and in order. A LiveText replaces the previous one, and follows
// the segments that were decided in the same pass over the sound.
using TranscriptEvent = std::variant<decoder::Format, ModelLoading, ModelLoaded, LikeliestLanguages,
                                     LanguageDetected, SpeakersFound, Progress, Segment, LiveText,
                                     SpeechStarted, SpeechStopped, LiveWords, TurnEnded>;

// Receives all events of one transcription, in order and on the thread that runs it. An exception
// ends the transcription and reaches its caller.
using TranscriptSink = std::function<void(const TranscriptEvent&)>;

}  // namespace protocol
