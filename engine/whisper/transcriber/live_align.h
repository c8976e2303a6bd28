#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/whisper/weights/dims.h"
#include "engine/whisper/words/word.h"

// Decides which words of sound that goes on are sure, by two policies. AlignAtt (Papi, Turchi and
// Negri, arXiv 2305.11408; Simul-Whisper, arXiv 2406.10052): those that the decoder looked for far
// enough before the end of the sound. LocalAgreement-2 (Macháček, Dabre and Bojar, arXiv
// 2307.14743): those that two passes in a row have heard.
namespace engine {

enum class LivePolicy { align_att, local_agreement };

struct LiveRule {
  LivePolicy policy = LivePolicy::align_att;
  int margin_frames = 15;  // of 20 ms, between a word and the end of the sound
};

// Returns the rule that suits a model. A decoder with fewer layers than the encoder (large-v3-turbo
// and distilled models) has no heads that follow time well enough for AlignAtt.
//   margin_frames: 0 wants LocalAgreement, and others AlignAtt with that margin
LiveRule live_rule(const ModelDims& dims, std::optional<int> margin_frames);

// A word as a pass over the sound has heard it. Its times are seconds of the session; signs are
// words of their own.
struct HeardWord {
  AlignedWord word;
  std::int64_t attended = 0;  // the sample of the session where the decoder looked for it
  bool is_sign = false;       // of those that belong to the word before them
};

// The end of the sound, in samples of the session.
struct LiveMoment {
  std::int64_t end = 0;
  std::int64_t silent = 0;  // so many of the last ones
};

// Returns how many of the words are sure, from the first on.
//   before: what the pass before has heard from the same place on
// AlignAtt wants the next word to have begun or a silence, so that this one is whole, and a word
// that is not improbable; what two passes agree on needs half of the margin and nothing else. A
// sign is sure when the next word has begun: the end of all sound looks like that of a sentence.
std::size_t sure_words(const LiveRule& rule, std::span<const HeardWord> before,
                       std::span<const HeardWord> heard, const LiveMoment& moment);

// Returns how many of the words were spoken, from the first on, where a silence has ended the
// sound: improbable ones that the decoder looked for in the very end of it are made up.
std::size_t spoken_words(const LiveRule& rule, std::span<const HeardWord> heard,
                         const LiveMoment& moment);

// Returns whether two words are the same but for spaces, case and, as far as ASCII goes, signs.
bool is_same_word(const std::string& a, const std::string& b);

// Return the words, as text and as tokens.
std::string text_of(std::span<const HeardWord> words);
std::vector<int> tokens_of(std::span<const HeardWord> words);

}  // namespace engine
