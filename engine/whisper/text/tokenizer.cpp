#include "engine/whisper/text/tokenizer.h"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/whisper/text/split_pieces.h"
#include "engine/whisper/text/utf8.h"
#include "engine/whisper/text/vocabulary_file.h"

namespace engine {

namespace {

// Returns the tokens that bytes are merged into, by id; others are empty.
Tokens merged_tokens(const Vocabulary& vocabulary) {
  Tokens tokens(vocabulary.tokens.size());
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (vocabulary.kinds[id] == TokenKind::text) tokens[id] = vocabulary.tokens[id];
  }
  return tokens;
}

std::vector<int> added_tokens(const Vocabulary& vocabulary, const SpecialTokens& specials) {
  std::vector<int> ids;
  for (int id = 0; id < vocabulary.size(); ++id) {
    const auto place = static_cast<std::size_t>(id);
    const bool added = vocabulary.kinds[place] == TokenKind::added && specials.is_text(id);
    if (added && !vocabulary.tokens[place].empty()) ids.push_back(id);
  }
  std::ranges::stable_sort(ids, std::greater(), [&](int id) {
    return vocabulary.tokens[static_cast<std::size_t>(id)].size();
  });
  return ids;
}

}  // namespace

Result<Tokenizer> Tokenizer::load(const std::filesystem::path& file_or_folder, int n_vocab,
                                  const StatedTokens& stated, SizeTells size) {
  auto vocabulary = read_vocabulary(file_or_folder, n_vocab != english_vocabulary);
  if (!vocabulary) return vocabulary.error();
  auto tokenizer = make(*std::move(vocabulary), stated, n_vocab, size);
  if (tokenizer) return tokenizer;
  Error error = tokenizer.error();
  error.message = file_or_folder.string() + ": " + error.message;
  return error;
}

Result<Tokenizer> Tokenizer::from_tokens(Tokens tokens, int n_vocab, SizeTells size) {
  return make(vocabulary_of(std::move(tokens)), {}, n_vocab, size);
}

Result<Tokenizer> Tokenizer::make(Vocabulary vocabulary, const StatedTokens& stated, int n_vocab,
                                  SizeTells size) {
  auto layout = token_layout(vocabulary, stated, n_vocab, size);
  if (!layout) return layout.error();
  if (const auto fine = check_text(vocabulary); !fine) return fine.error();
  return Tokenizer(std::move(vocabulary), *std::move(layout));
}

Tokenizer::Tokenizer(Vocabulary vocabulary, TokenLayout layout)
    : vocabulary_(std::move(vocabulary)),
      layout_(std::move(layout)),
      added_(added_tokens(vocabulary_, layout_.specials)),
      pairs_(merged_tokens(vocabulary_)),
      non_speech_tokens_(find_non_speech_tokens()) {}

std::optional<int> Tokenizer::added_at(std::string_view text) const {
  const auto found =
      std::ranges::find_if(added_, [&](int id) { return text.starts_with(bytes(id)); });
  if (found == added_.end()) return std::nullopt;
  return *found;
}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  const std::string valid = replace_invalid_utf8(text);
  std::vector<int> ids;
  const auto encode_part = [&](std::string_view part) {
    for (const auto piece : split_pieces(part)) pairs_.encode(piece, ids);
  };
  std::string_view rest = valid;
  for (std::size_t i = 0; !added_.empty() && i < rest.size();) {
    const auto added = added_at(rest.substr(i));
    if (!added) {
      ++i;
      continue;
    }
    encode_part(rest.substr(0, i));
    ids.push_back(*added);
    rest.remove_prefix(i + bytes(*added).size());
    i = 0;
  }
  encode_part(rest);
  return ids;
}

std::string_view Tokenizer::bytes(int id) const {
  if (id < 0 || id >= vocabulary_.size() || !is_text(id)) return {};
  return vocabulary_.tokens[static_cast<std::size_t>(id)];
}

std::string Tokenizer::name_of(int id) const {
  if (id < 0 || id >= n_vocab()) return {};
  std::string name = token_name(layout_, id);
  if (!name.empty() || id >= vocabulary_.size()) return name;
  return vocabulary_.tokens[static_cast<std::size_t>(id)];
}

// Writes special tokens and timestamps by their names where they are wanted.
std::string Tokenizer::join(std::span<const int> ids, bool with_specials,
                            bool with_timestamps) const {
  std::string joined;
  for (const int id : ids) {
    if (is_text(id)) {
      joined += bytes(id);
    } else if (specials().is_timestamp(id) ? with_timestamps : with_specials) {
      joined += name_of(id);
    }
  }
  return replace_invalid_utf8(joined);
}

std::string Tokenizer::decode(std::span<const int> ids) const {
  return join(ids, false, false);
}

std::string Tokenizer::decode_with_specials(std::span<const int> ids) const {
  return join(ids, true, false);
}

std::string Tokenizer::decode_with_timestamps(std::span<const int> ids) const {
  return join(ids, true, true);
}

std::optional<int> Tokenizer::language_token(std::string_view code) const {
  return engine::language_token(layout_, code);
}

std::string_view Tokenizer::language_code(int token) const {
  const auto found = std::ranges::find(layout_.languages, token, &LanguageToken::id);
  return found == layout_.languages.end() ? std::string_view() : std::string_view(found->code);
}

Result<std::vector<int>> Tokenizer::sot_sequence(std::string_view language, Task task) const {
  if (!multilingual()) return std::vector<int>{sot()};
  const auto token = language_token(language);
  if (!token) {
    return Error{Errc::invalid_option,
                 "the model does not support the language '" + std::string(language) + "'",
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
