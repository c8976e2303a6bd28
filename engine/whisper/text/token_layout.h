#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/text/special_tokens.h"
#include "engine/whisper/text/stated_tokens.h"
#include "engine/whisper/text/vocabulary.h"

namespace engine {

struct LanguageToken {
  std::string code;  // "en"
  int id = 0;
};

// The meaning of those ids of a model that are no text: special tokens, languages, padding.
struct TokenLayout {
  SpecialTokens specials;
  std::vector<LanguageToken> languages;  // by id; an English model has them too, unused
  std::vector<int> unused;               // ids of logits that no token has, ascending
};

// Says whether the size of a model's vocabulary may tell its layout: not where no published model
// of this size has the model's other dimensions.
enum class SizeTells { layout, nothing };

// Returns the layout of a published model of this size; fails for any other size.
Result<TokenLayout> layout_of_size(int n_vocab);

// Returns the size of the published vocabulary whose tokens these are, text and all that is named;
// nothing where any differs.
std::optional<int> published_size(const Vocabulary& vocabulary);

// Returns the layout of a model whose tokenizer is `vocabulary`. The names of its tokens decide,
// with what is stated beside them. The size decides where the vocabulary names no special tokens,
// and where it is that of another published model, which was borrowed for its text. Fails with
// refused_model, and both numbers, where tokens contradict each other or the model's size.
Result<TokenLayout> token_layout(const Vocabulary& vocabulary, const StatedTokens& stated,
                                 int n_vocab, SizeTells size = SizeTells::layout);

// Returns the name of a token with a meaning of its own: "<|startoftranscript|>", "<|en|>",
// "<|1.08|>"; empty for another id.
std::string token_name(const TokenLayout& layout, int id);

// Returns the token of a language code, if this model knows it.
std::optional<int> language_token(const TokenLayout& layout, std::string_view code);

}  // namespace engine
