#include "engine/whisper/text/tokenizer.h"

#include <algorithm>
#include <set>

#include "engine/whisper/text/split_pieces.h"
#include "engine/whisper/text/utf8.h"
#include "protocol/languages.h"

namespace engine {

Result<Tokenizer> Tokenizer::load(const std::filesystem::path& file_or_folder, int n_vocab) {
  const auto specials = special_tokens(n_vocab);
  if (!specials) return specials.error();
  auto tokens = read_vocabulary(file_or_folder, specials->multilingual);
  if (!tokens) return tokens.error();
  auto tokenizer = from_tokens(std::move(*tokens), n_vocab);
  if (tokenizer) return tokenizer;
  Error error = tokenizer.error();
  error.message = file_or_folder.string() + ": " + error.message;
  return error;
}

Result<Tokenizer> Tokenizer::from_tokens(Tokens tokens, int n_vocab) {
  const auto specials = special_tokens(n_vocab);
  if (!specials) return specials.error();
  auto text = text_tokens(std::move(tokens), specials->eot);
  if (!text) return text.error();
  return Tokenizer(std::move(*text), *specials);
}

Tokenizer::Tokenizer(Tokens tokens, const SpecialTokens& specials)
    : tokens_(std::move(tokens)),
      specials_(specials),
      pairs_(tokens_),
      non_speech_tokens_(find_non_speech_tokens()) {}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  const std::string valid = replace_invalid_utf8(text);
  std::vector<int> ids;
  for (const auto piece : split_pieces(valid)) pairs_.encode(piece, ids);
  return ids;
}

std::string_view Tokenizer::bytes(int id) const {
  return id >= 0 && id < eot() ? std::string_view(tokens_[id]) : std::string_view();
}

// Writes special tokens below `special_end` by their names, and others not at all.
std::string Tokenizer::join(std::span<const int> ids, int special_end) const {
  std::string joined;
  for (const int id : ids) {
    if (id < eot()) {
      joined += bytes(id);
    } else if (id < special_end) {
      joined += special_token_name(specials_, id);
    }
  }
  return replace_invalid_utf8(joined);
}

std::string Tokenizer::decode(std::span<const int> ids) const {
  return join(ids, eot());
}

std::string Tokenizer::decode_with_specials(std::span<const int> ids) const {
  return join(ids, timestamp_begin());
}

std::string Tokenizer::decode_with_timestamps(std::span<const int> ids) const {
  return join(ids, n_vocab());
}

std::optional<int> Tokenizer::language_token(std::string_view code) const {
  return engine::language_token(specials_, code);
}

std::string_view Tokenizer::language_code(int token) const {
  if (token < language_begin() || token >= language_end()) return {};
  return protocol::languages()[token - language_begin()].code;
}

Result<std::vector<int>> Tokenizer::sot_sequence(std::string_view language, Task task) const {
  if (!multilingual()) return std::vector<int>{sot()};
  const auto token = language_token(language);
  if (!token) {
    return Error{Errc::invalid_option,
                 "the model does not know the language '" + std::string(language) + "'",
                 "name a language code such as en, de or zh; yue needs large-v3 or later"};
  }
  return std::vector<int>{sot(), *token, task == Task::translate ? translate() : transcribe()};
}

Result<std::vector<int>> Tokenizer::sot_sequence_including_notimestamps(std::string_view language,
                                                                        Task task) const {
  auto sequence = sot_sequence(language, task);
  if (sequence) sequence->push_back(no_timestamps());
  return sequence;
}

std::vector<int> Tokenizer::find_non_speech_tokens() const {
  constexpr std::string_view unspoken_signs[] = {
      "\"",  "#",  "(",  ")",   "*",   "+",   "/",   ":",  ";",   "<",  "=",  ">",
      "@",   "[",  "\\", "]",   "^",   "_",   "`",   "{",  "|",   "}",  "~",  "「",
      "」",  "『", "』", "<<",  ">>",  "<<<", ">>>", "--", "---", "-(", "-[", "('",
      "(\"", "((", "))", "(((", ")))", "[[",  "]]",  "{{", "}}",  "♪♪", "♪♪♪"};
  // The first token of these signs can be suppressed even where they take several: it starts
  // nothing else that is spoken.
  constexpr std::string_view music_notes[] = {"♩", "♪", "♫", "♬", "♭", "♮", "♯"};

  // Hyphen and apostrophe may stand inside a word, but not begin one.
  std::set<int> found = {encode(" -").front(), encode(" '").front()};
  for (const std::string_view before : {"", " "}) {
    for (const auto sign : unspoken_signs) {
      const auto ids = encode(std::string(before).append(sign));
      if (ids.size() == 1) found.insert(ids.front());
    }
    for (const auto note : music_notes)
      found.insert(encode(std::string(before).append(note)).front());
  }
  return {found.begin(), found.end()};
}

}  // namespace engine
