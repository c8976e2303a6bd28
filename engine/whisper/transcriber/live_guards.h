#pragma once

#include <span>

#include "engine/whisper/transcriber/live_align.h"

// A pass over live sound counts for nothing where its text shows that the decoder has lost its
// place in the sound. SimulStreaming (arXiv 2506.17077) has the second of these rules.
namespace engine {

// Returns whether the same four tokens come three times in a row.
bool repeats_itself(std::span<const int> tokens);

// Returns whether the decoder looked for a word more than four seconds before the word in front of
// it.
bool jumps_back(std::span<const HeardWord> words);

// Returns whether the words behind `known_end` end more than 1.5 s before the speech does, so that
// some of it may have no words. Times are in seconds of the session.
bool leaves_speech_out(std::span<const HeardWord> words, double known_end, double speech_end);

}  // namespace engine
