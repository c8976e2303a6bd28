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
#include "engine/whisper/text/vocabulary.h"
#include "protocol/transcribe_options.h"

namespace engine {

using protocol::Task;

// Turns text into tokens and back, as openai/whisper's tokenizer does. It is immutable once made,
// so that any number of threads may use one.
class Tokenizer {
 public:
  // Reads a model folder or a vocabulary file (vocabulary.h lists the kinds). `n_vocab` is the
  // model's own count of tokens, specials included; it decides where the specials lie.
  static Result<Tokenizer> load(const std::filesystem::path& file_or_folder, int n_vocab);
  // Takes the bytes of the tokens by id, as a ggml file carries them.
  static Result<Tokenizer> from_tokens(Tokens tokens, int n_vocab);

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

  bool multilingual() const { return specials_.multilingual; }
  int n_vocab() const { return specials_.n_vocab; }
  int eot() const { return specials_.eot; }
  int sot() const { return specials_.sot; }
  int translate() const { return specials_.translate; }
  int transcribe() const { return specials_.transcribe; }
  int sot_lm() const { return specials_.sot_lm; }
  int sot_prev() const { return specials_.sot_prev; }
  int no_speech() const { return specials_.no_speech; }
  int no_timestamps() const { return specials_.no_timestamps; }
  int timestamp_begin() const { return specials_.timestamp_begin; }

  // Language tokens are the ids language_begin() .. language_end() - 1.
  int language_begin() const { return specials_.language_begin(); }
  int language_end() const { return specials_.language_end(); }
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
  Tokenizer(Tokens tokens, const SpecialTokens& specials);
  std::string join(std::span<const int> ids, int special_end) const;
  std::vector<int> find_non_speech_tokens() const;

  Tokens tokens_;
  SpecialTokens specials_;
  BytePairs pairs_;
  std::vector<int> non_speech_tokens_;
};

}  // namespace engine
