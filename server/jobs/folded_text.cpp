#include "server/jobs/folded_text.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "protocol/text_rules.h"

namespace server {

namespace {

icu::UnicodeString folded_units(std::string_view text) {
  const icu::StringPiece bytes(text.data(), static_cast<int32_t>(text.size()));
  icu::UnicodeString units = icu::UnicodeString::fromUTF8(bytes);
  return units.foldCase();
}

}  // namespace

std::u16string folded(std::string_view text) {
  const auto units = folded_units(text);
  return {units.getBuffer(), static_cast<std::size_t>(units.length())};
}

std::string folded_utf8(std::string_view text) {
  std::string bytes;
  return folded_units(text).toUTF8String(bytes);
}

std::vector<std::u16string> folded_words(std::string_view text) {
  std::vector<std::u16string> words;
  std::u16string word;
  const auto end_word = [&] {
    const bool is_new = !word.empty() && std::ranges::find(words, word) == words.end();
    if (is_new) words.push_back(word);
    word.clear();
  };
  for (const char16_t unit : folded(text)) {
    if (::u_isUWhiteSpace(unit)) {
      end_word();
    } else {
      word += unit;
    }
  }
  end_word();
  return words;
}

std::vector<std::string> words_between_spaces(std::string_view text) {
  std::istringstream line(protocol::replace_space(text, " "));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

}  // namespace server
