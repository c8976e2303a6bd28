#pragma once

#include <span>

#include "engine/whisper/transcriber/live_words.h"

namespace engine {

// The sound that is decoded again and again, in seconds from the recording's start.
struct LiveSpan {
  double begin = 0;
  double end = 0;

  double length() const { return end - begin; }
};

constexpr double cut_above_s = 15;    // a longer buffer is cut where a segment is sure
constexpr double force_above_s = 20;  // and this one wherever it does least harm
// A forced cut leaves at least this much of sound whose words are not sure.
constexpr double kept_s = 10;

// Returns where the buffer should begin from now on; `buffer.begin` where it should stay. A buffer
// that is longer than force_above_s becomes at least kept_s / 2 shorter.
//   committed, unsure: of the buffer, in order
// ufal/whisper_streaming whisper_online.py `chunk_completed_segment`, and a bound for sound in
// which nothing is agreed on.
double live_cut(const LiveSpan& buffer, std::span<const HeardWord> committed,
                std::span<const HeardWord> unsure);

}  // namespace engine
