#include "protocol/subtitles/abbreviations.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <string>

#include "protocol/subtitles/function_words.h"

namespace protocol::subtitles {
namespace {

// Each list has spaces between its words and at its ends.
constexpr std::string_view before_names =
    " dr dra mr mrs ms prof st ste mme mlle sr sra srta sig dott ing hr fr gen col capt lt sgt rev "
    "hon gov sen rep ";
constexpr std::string_view before_numbers =
    " no nr num fig abb p pp s vol art ch cap kap sec str tel ";
constexpr std::array<std::string_view, 9> of_ordinals{"de", "da", "no", "nb", "nn",
                                                      "fi", "cs", "sk", "pl"};

bool is_in(std::string_view list, const std::string& word) {
  return list.find(" " + word + " ") != list.npos;
}

bool is_before_numbers(const std::string& word) {
  return is_in(before_numbers, word) || word.ends_with("str");  // "Hauptstr. 12"
}

// The kind of the first letter or digit of a text.
struct Beginning {
  bool is_lower = false;
  bool is_upper = false;
  bool is_digit = false;
};

Beginning beginning_of(std::string_view text) {
  const auto letters = icu::UnicodeString::fromUTF8({text.data(), static_cast<int>(text.size())});
  for (int at = 0; at < letters.length(); at = letters.moveIndex32(at, 1)) {
    const UChar32 letter = letters.char32At(at);
    if (!::u_isalnum(letter)) continue;
    return {.is_lower = ::u_islower(letter) != 0,
            .is_upper = ::u_isupper(letter) != 0,
            .is_digit = ::u_isdigit(letter) != 0};
  }
  return {};
}

bool is_one_letter(const std::string& word) {
  const auto letters = icu::UnicodeString::fromUTF8(word);
  return letters.countChar32() == 1 && ::u_isalpha(letters.char32At(0)) != 0;
}

bool is_short_number(const std::string& word) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !word.empty() && word.size() <= 2 && std::ranges::all_of(word, is_digit);
}

}  // namespace

bool is_abbreviation(std::string_view word, std::string_view next, std::string_view language) {
  if (!word.ends_with('.') || word.ends_with("..")) return false;
  const Beginning after = beginning_of(next);
  const std::string bare = bare_word(word);
  if (after.is_lower) return true;
  if (after.is_upper && is_in(before_names, bare)) return true;
  if (after.is_digit && is_before_numbers(bare)) return true;
  const bool has_ordinals = std::ranges::find(of_ordinals, language) != of_ordinals.end();
  if (is_short_number(bare)) return after.is_upper && has_ordinals;
  if (!after.is_upper) return false;
  if (is_one_letter(bare)) return bare != "i";
  return bare.find('.') != bare.npos && bare != "a.m" && bare != "p.m";  // "U.S."
}

}  // namespace protocol::subtitles
