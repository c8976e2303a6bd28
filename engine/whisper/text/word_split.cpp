#include "engine/whisper/text/word_split.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/whisper/text/utf8.h"
#include "engine/whisper/text/white_space.h"

namespace engine {
namespace {

constexpr char32_t replacement_code_point = 0xFFFD;

// Returns groups of tokens that decode to whole characters. A U+FFFD ends a group only where the
// whole text has one at the same place, which means that it is part of the text and not an
// unfinished character.
std::vector<TokenWord> split_at_characters(const Tokenizer& tokenizer,
                                           std::span<const int> tokens) {
  const std::u32string full = to_code_points(tokenizer.decode_with_timestamps(tokens));
  std::vector<TokenWord> words;
  std::vector<int> group;
  size_t offset = 0;
  for (const int token : tokens) {
    group.push_back(token);
    std::string text = tokenizer.decode_with_timestamps(group);
    const std::u32string characters = to_code_points(text);
    const size_t broken = characters.find(replacement_code_point);
    if (broken != characters.npos &&
        (offset + broken >= full.size() || full[offset + broken] != replacement_code_point)) {
      continue;
    }
    offset += characters.size();
    words.push_back({std::move(text), std::exchange(group, {})});
  }
  return words;
}

// Returns whether the text is a run of ASCII signs in the order of the ASCII table, or nothing but
// white space.
bool is_punctuation(std::string_view word) {
  constexpr std::u32string_view ascii_punctuation = U"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  const std::u32string characters = to_code_points(word);
  std::u32string_view signs = characters;
  while (!signs.empty() && is_white_space(signs.front())) signs.remove_prefix(1);
  while (!signs.empty() && is_white_space(signs.back())) signs.remove_suffix(1);
  return ascii_punctuation.find(signs) != ascii_punctuation.npos;
}

std::vector<TokenWord> split_at_spaces(const Tokenizer& tokenizer, std::span<const int> tokens) {
  std::vector<TokenWord> words;
  for (TokenWord& part : split_at_characters(tokenizer, tokens)) {
    const bool special = !tokenizer.is_text(part.tokens.front());
    if (special || part.word.starts_with(' ') || is_punctuation(part.word) || words.empty()) {
      words.push_back(std::move(part));
      continue;
    }
    words.back().word += part.word;
    words.back().tokens.insert(words.back().tokens.end(), part.tokens.begin(), part.tokens.end());
  }
  return words;
}

}  // namespace

std::vector<TokenWord> split_to_word_tokens(const Tokenizer& tokenizer, std::span<const int> tokens,
                                            std::string_view language) {
  constexpr std::array<std::string_view, 6> without_spaces = {"zh", "ja", "th", "lo", "my", "yue"};
  if (std::ranges::find(without_spaces, language) != without_spaces.end()) {
    return split_at_characters(tokenizer, tokens);
  }
  return split_at_spaces(tokenizer, tokens);
}

}  // namespace engine
