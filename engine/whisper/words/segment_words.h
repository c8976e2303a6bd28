#pragma once

#include <span>
#include <vector>

#include "engine/whisper/words/merge_punctuations.h"
#include "engine/whisper/words/word.h"

namespace engine {

// Hands the words of a window (align_words) to its segments, each as many as make up the tokens it
// has, and lets segments and words correct each other's times. The times of the words become
// seconds from the start of the recording, rounded to 0.01 s before they are corrected.
//   window_start: seconds
//   last_speech_end: when the speech before this window was over, in seconds
// openai/whisper timing.py `add_word_timestamps`.
void give_words_to_segments(std::vector<AlignedWord> words, double window_start,
                            double last_speech_end, const Punctuation& punctuation,
                            std::span<SegmentWords> segments);

}  // namespace engine
