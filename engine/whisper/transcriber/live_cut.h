#pragma once

#include <span>

#include "engine/whisper/transcriber/live_align.h"

namespace engine {

// The sound that is decoded again and again, in seconds of the session.
struct LiveSpan {
  double begin = 0;
  double end = 0;

  double length() const { return end - begin; }
};

constexpr double cut_above_s = 15;    // a longer buffer is cut where a sentence ends
constexpr double force_above_s = 20;  // and this one wherever it does least harm
// A forced cut leaves at least this much of sound whose words are not sure.
constexpr double kept_s = 10;

// Returns where the last word that is no sign begins. A buffer that begins there is decoded behind
// that word: without it, what the cut left of its sound would be heard as a word again.
double last_word_begin(std::span<const HeardWord> words, double otherwise);

// Returns where the buffer should begin from now on; `buffer.begin` where it should stay. A buffer
// that is longer than force_above_s becomes at least kept_s / 2 shorter.
//   committed, unsure: of the buffer, in order
double live_cut(const LiveSpan& buffer, std::span<const HeardWord> committed,
                std::span<const HeardWord> unsure);

}  // namespace engine
