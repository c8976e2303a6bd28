#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/words/alignment_costs.h"
#include "engine/whisper/words/word.h"

namespace engine {

// The tokens and the attention of the decoder for one window.
struct AlignmentInput {
  std::span<const int> text_tokens;            // of all segments of the window, no specials
  std::span<const float> token_probabilities;  // of each, the softmax being over text tokens only
  // Row r says where the decoder looked when token r had been fed, which is for the token after it.
  AlignmentAttention attention;
  // This row looks for the first text token. Those for the other text tokens follow it, then the
  // one for end-of-text. Other rows count only in the mean over tokens. With the tokens [sot
  // sequence, no timestamps, text, end of text] fed, as openai/whisper does, it is the length of
  // the sot sequence.
  int first_row = 0;
  std::int64_t frames = 0;  // how many of the window's mel frames, 10 ms each, belong to it
};

// Returns the words of a window with their times in seconds from its start: a word begins where the
// way through the attention first comes to its first token and ends where the next word begins.
// Where each was looked for is the largest attention of a row, as AlignAtt reads it (arXiv
// 2305.11408), unless the way has left the word before that.
// Throws std::invalid_argument where the counts do not fit. openai/whisper timing.py
// `find_alignment`.
std::vector<AlignedWord> align_words(const Tokenizer& tokenizer, std::string_view language,
                                     const AlignmentInput& input);

}  // namespace engine
