#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/whisper/words/hallucinations.h"
#include "engine/whisper/words/word.h"

namespace engine {

// Returns when the last word ends, in seconds; without words the last segment. Returns nothing
// without segments.
std::optional<double> end_of_speech(std::span<const SegmentWords> segments);

// The place to go on, as a window's timestamps alone tell it.
struct TimestampEnd {
  std::int64_t seek = 0;           // frames from the start of the recording
  bool silence_until_end = false;  // the tokens end with a lone timestamp: nothing more was said
};

struct WindowEnd {
  std::int64_t seek = 0;  // where the next window begins; always behind this one's first frame
  std::size_t kept = 0;   // so many segments stay, from the first on
  // The window was decoded in vain: not even the prompt may change for it.
  bool discarded = false;
};

// Returns the place to go on after a window, and which of its segments to keep, once its words are
// known.
//   last_speech_end: when the speech before this window was over, in seconds
//   hallucination_silence_threshold: seconds; unset: all segments are kept
// After it the last speech ends at end_of_speech of the segments kept, if any.
// openai/whisper transcribe.py `transcribe`.
WindowEnd end_window(std::span<const SegmentWords> segments, const WindowPlace& place,
                     const TimestampEnd& timestamps, double last_speech_end,
                     std::optional<double> hallucination_silence_threshold);

}  // namespace engine
