#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/whisper/words/word.h"

// Text that the model makes up in silence shows in its words: improbable, far too short or far too
// long. openai/whisper transcribe.py `transcribe`, with hallucination_silence_threshold.
namespace engine {

// A window's place in the recording, in frames of 10 ms.
struct WindowPlace {
  std::int64_t seek = 0;            // its first frame
  std::int64_t frames = 0;          // how many belong to it, at most 3000
  std::int64_t content_frames = 0;  // of the whole recording
};

// Returns 0 for a word as people say it, and 1 and more for one that is likely made up.
double anomaly_score(const AlignedWord& word);

// Returns whether a segment's first eight words, signs aside, are mostly such words. A segment
// without words is not; one of nothing but signs is.
bool is_anomalous(const SegmentWords& segment);

// Returns how many frames of silence to skip and then decode the window anew, if the first segment
// that has words looks made up and lies behind more than `threshold` seconds without words.
std::optional<std::int64_t> leading_silence(std::span<const SegmentWords> segments,
                                            const WindowPlace& place, double threshold);

struct HallucinationCut {
  std::size_t segment = 0;  // this one and all after it are to be dropped
  std::int64_t seek = 0;    // where to go on
};

// Returns the first segment that looks made up and stands between silences of more than `threshold`
// seconds or other such segments.
//   last_speech_end: when the speech before this window was over, in seconds
std::optional<HallucinationCut> find_hallucination(std::span<const SegmentWords> segments,
                                                   const WindowPlace& place, double threshold,
                                                   double last_speech_end);

}  // namespace engine
