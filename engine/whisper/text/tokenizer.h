#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/text/byte_pairs.h"
#include "engine/whisper/text/special_tokens.h"
#include "engine/whisper/text/stated_tokens.h"
#include "engine/whisper/text/token_layout.h"
#include "engine/whisper/text/vocabulary.h"
#include "protocol/transcribe_options.h"

namespace engine {

using protocol::Task;

// Turns text into tokens and back, as openai/whisper's tokenizer does. It is immutable once made,
// so that any number of threads may use one.
class Tokenizer {
 public:
  // Reads a model folder or a vocabulary file (vocabulary_file.h lists the kinds). `n_vocab` is the
  // model's own count of tokens, specials included; token_layout.h says what decides where they
  // lie.
  static Result<Tokenizer> load(const std::filesystem::path& file_or_folder, int n_vocab,
                                const StatedTokens& stated = {},
                                SizeTells size = SizeTells::layout);
  // Takes the bytes of the tokens by id, as a ggml file carries them.
  static Result<Tokenizer> from_tokens(Tokens tokens, int n_vocab,
                                       SizeTells size = SizeTells::layout);

  // Special tokens spelled out in the text ("<|en|>") are text as any other; invalid UTF-8 is read
  // as U+FFFD.
  std::vector<int> encode(std::string_view text) const;

  // The next three take any ids and return valid UTF-8: bytes that are none become U+FFFD. This one
  // returns the text alone.
  std::string decode(std::span<const int> ids) const;
  // This one writes special tokens by their names, but no timestamps: it is what openai/whisper's
  // `decode` gives, and what its compression ratio counts.
  std::string decode_with_specials(std::span<const int> ids) const;
  // This one writes timestamps too: "<|0.00|> Hello<|1.20|>".
  std::string decode_with_timestamps(std::span<const int> ids) const;
  // Returns the bytes of one text token, which may be a part of a character; empty for a special
  // token.
  std::string_view bytes(int id) const;

  const SpecialTokens& specials() const { return layout_.specials; }
  bool is_text(int id) const { return specials().is_text(id); }
  bool multilingual() const { return specials().multilingual; }
  int n_vocab() const { return specials().n_vocab; }
  int eot() const { return specials().eot; }
  int sot() const { return specials().sot; }
  int translate() const { return specials().translate; }
  int transcribe() const { return specials().transcribe; }
  int sot_lm() const { return specials().sot_lm; }
  int sot_prev() const { return specials().sot_prev; }
  int no_speech() const { return specials().no_speech; }
  int no_timestamps() const { return specials().no_timestamps; }
  int timestamp_begin() const { return specials().timestamp_begin; }

  // Returns below which id the probability of text is one among text: all ids where text lies
  // among other tokens.
  int text_end() const { return specials().is_in_published_order() ? eot() : n_vocab(); }
  // Returns the ids of logits that no token has, ascending.
  const std::vector<int>& unused() const { return layout_.unused; }

  // Returns the language tokens by id. An English model has them too, unused.
  std::span<const LanguageToken> languages() const { return layout_.languages; }
  // Returns the token of a code ("en"), if this model has that language.
  std::optional<int> language_token(std::string_view code) const;
  // Returns the code of a language token; empty for another token.
  std::string_view language_code(int token) const;

  // Returns what every transcript starts with: [sot], and for a multilingual model the language and
  // the task. `language` is a code; an English model takes any and ignores it.
  Result<std::vector<int>> sot_sequence(std::string_view language, Task task) const;
  Result<std::vector<int>> sot_sequence_including_notimestamps(std::string_view language,
                                                               Task task) const;

  // Returns the tokens of music, brackets and other signs that nobody speaks, ascending. They are
  // what suppress_tokens "-1" means.
  const std::vector<int>& non_speech_tokens() const { return non_speech_tokens_; }

 private:
  Tokenizer(Vocabulary vocabulary, TokenLayout layout);
  static Result<Tokenizer> make(Vocabulary vocabulary, const StatedTokens& stated, int n_vocab,
                                SizeTells size);
  std::string join(std::span<const int> ids, bool specials, bool timestamps) const;
  std::string name_of(int id) const;
  // Returns the token that was added as a whole and begins here in the text; the longest of them.
  std::optional<int> added_at(std::string_view text) const;
  std::vector<int> find_non_speech_tokens() const;

  Vocabulary vocabulary_;
  TokenLayout layout_;
  std::vector<int> added_;  // the longest first
  BytePairs pairs_;
  std::vector<int> non_speech_tokens_;
};

}  // namespace engine
