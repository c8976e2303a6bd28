#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "engine/whisper/transcriber/fallback.h"
#include "engine/whisper/transcriber/language.h"

namespace engine {

// A language that detection holds for possible, and what the recording says in it.
struct LanguageCandidate {
  protocol::LanguageDetected language;
  DecodingResult text;
};

// Returns whether text should decide, because the likeliest language is unsure. It should not where
// there is likely no speech: noise has no language, and is decoded at length in each.
bool should_text_decide(const HeardLanguages& heard, const TranscriptionOptions& options);

// Decodes the window in each of the languages, side by side, as its first try, and returns the
// candidate whose text and language together are most probable.
//   decoding: everything but the language and the temperature
Result<LanguageCandidate> choose_by_text(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window,
                                         std::span<const protocol::LanguageDetected> languages,
                                         const DecodingOptions& decoding,
                                         const TranscriptionOptions& options,
                                         const std::stop_token& stop);

// Returns the best candidate by the mean log probability of the text's tokens and the log
// probability of the language; a text that repeats itself comes behind all others.
const LanguageCandidate& best_candidate(std::span<const LanguageCandidate> candidates,
                                        const TranscriptionOptions& options);

}  // namespace engine
