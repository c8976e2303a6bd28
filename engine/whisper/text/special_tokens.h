#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/error.h"

namespace engine {

// The ids of the tokens that are no text. They follow the text tokens in one block: end of text,
// start of transcript, languages, tasks, markers, then 1501 timestamps 0.02 s apart.
struct SpecialTokens {
  bool multilingual = false;
  int n_vocab = 0;
  int n_languages = 0;  // tokens that name a language; an English model has them too, unused
  int eot = 0;          // also the number of text tokens
  int sot = 0;
  int translate = 0;
  int transcribe = 0;
  int sot_lm = 0;
  int sot_prev = 0;
  int no_speech = 0;
  int no_timestamps = 0;
  int timestamp_begin = 0;

  int language_begin() const { return sot + 1; }
  int language_end() const { return sot + 1 + n_languages; }
};

// The layout follows from the vocabulary's size alone: 51864 (English), 51865, 51866 (with
// Cantonese). Any other size is refused.
Result<SpecialTokens> special_tokens(int n_vocab);

// Returns a token's name: "<|startoftranscript|>", "<|en|>", "<|1.08|>"; empty for an id that is no
// special token.
std::string special_token_name(const SpecialTokens& specials, int id);

// Returns the token of a language code, if this model knows it.
std::optional<int> language_token(const SpecialTokens& specials, std::string_view code);

}  // namespace engine
