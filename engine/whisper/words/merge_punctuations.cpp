#include "engine/whisper/words/merge_punctuations.h"

#include <string>
#include <utility>

#include "engine/whisper/text/utf8.h"
#include "engine/whisper/text/white_space.h"

namespace engine {
namespace {

bool contains(std::string_view signs, std::string_view text) {
  return signs.find(text) != signs.npos;
}

bool is_prepended(const AlignedWord& word, std::string_view signs) {
  if (!word.word.starts_with(' ')) return false;
  const std::u32string characters = to_code_points(word.word);
  std::u32string_view text = characters;
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white_space(text.back())) text.remove_suffix(1);
  return to_code_points(signs).find(text) != std::u32string::npos;
}

// Makes `first` + `second` the text of `into`, which is one of them, and leaves the other empty.
void merge(AlignedWord& first, AlignedWord& second, AlignedWord& into) {
  std::string text = std::exchange(first.word, {}) + std::exchange(second.word, {});
  std::vector<int> tokens = std::exchange(first.tokens, {});
  const std::vector<int> more = std::exchange(second.tokens, {});
  tokens.insert(tokens.end(), more.begin(), more.end());
  into.word = std::move(text);
  into.tokens = std::move(tokens);
}

}  // namespace

void merge_punctuations(std::span<AlignedWord> words, const Punctuation& punctuation) {
  if (words.empty()) return;
  std::size_t following = words.size() - 1;
  for (std::size_t i = following; i-- > 0;) {
    if (is_prepended(words[i], punctuation.prepended)) {
      merge(words[i], words[following], words[following]);
    } else {
      following = i;
    }
  }
  std::size_t previous = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[previous].word.ends_with(' ') && contains(punctuation.appended, words[i].word)) {
      merge(words[previous], words[i], words[previous]);
    } else {
      previous = i;
    }
  }
}

}  // namespace engine
