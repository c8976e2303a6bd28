#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/deepgram/words.h"
#include "protocol/transcript.h"

namespace protocol::deepgram {

// A word of a recording, and who says it.
struct SpokenWord {
  Word word{};
  std::optional<int> speaker{};  // counted from 0 in the order of appearance; unset: unknown
};

// Returns the words of the segments of that channel, in order; -1: of all segments. Speakers are
// numbered over all segments, so that a number means the same person in each channel.
std::vector<SpokenWord> spoken_words(const Transcript& transcript, int channel);

bool ends_sentence(const Word& word);

// Cuts the words into runs of one speaker, without longer pauses, and of `most_sentences` at most;
// 0: any number.
struct RunRules {
  double longest_pause_s = 0.8;
  int most_sentences = 0;
};
std::vector<std::vector<SpokenWord>> runs_of(const std::vector<SpokenWord>& words,
                                             const RunRules& rules);

std::string text_of(const std::vector<SpokenWord>& words);
double confidence_of(const std::vector<SpokenWord>& words);
// As word_json(), with `speaker` where it is known.
Json words_json(const std::vector<SpokenWord>& words);

}  // namespace protocol::deepgram
