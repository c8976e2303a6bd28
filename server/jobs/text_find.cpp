#include "server/jobs/text_find.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>

#include <cstdint>

namespace server {
namespace {

icu::UnicodeString utf16(std::string_view text) {
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

// A text as it is compared. `origins` has for each unit the one that it comes from, and for the
// end the end: folding may make two letters of one. Where case counts nothing is folded, and a unit
// comes from its own place.
struct Compared {
  std::u16string text{};
  std::vector<std::uint32_t> origins{};

  Compared(const icu::UnicodeString& whole, bool match_case) {
    const auto length = static_cast<std::size_t>(whole.length());
    if (match_case) {
      text.assign(whole.getBuffer(), length);
      return;
    }
    text.reserve(length);
    origins.reserve(length + 1);
    for (std::int32_t at = 0; at < whole.length();) {
      const UChar32 letter = whole.char32At(at);
      append_folded(letter);
      origins.resize(text.size(), static_cast<std::uint32_t>(at));
      at += U16_LENGTH(letter);
    }
    origins.push_back(static_cast<std::uint32_t>(length));
  }

  std::size_t origin(std::size_t at) const { return origins.empty() ? at : origins[at]; }

  // Whether a letter of the original begins here.
  bool is_border(std::size_t at) const {
    if (at == 0 || at == text.size()) return true;
    if (!origins.empty()) return origins[at] != origins[at - 1];
    return !(U16_IS_TRAIL(text[at]) && U16_IS_LEAD(text[at - 1]));
  }

 private:
  // Letters of scripts without case, and those of ASCII, need no string for it.
  void append_folded(UChar32 letter) {
    if (letter < 0x80) {
      const bool is_capital = letter >= 'A' && letter <= 'Z';
      text += static_cast<char16_t>(is_capital ? letter - 'A' + 'a' : letter);
      return;
    }
    icu::UnicodeString folded(letter);
    if (::u_hasBinaryProperty(letter, UCHAR_CASED) != 0) folded.foldCase();
    text.append(folded.getBuffer(), static_cast<std::size_t>(folded.length()));
  }
};

// Returns for each prefix of the text the length of its longest end, short of the whole, with which
// it also begins.
std::vector<std::size_t> borders_of(const std::u16string& text) {
  std::vector<std::size_t> borders(text.size(), 0);
  for (std::size_t at = 1, same = 0; at < text.size(); ++at) {
    while (same > 0 && text[at] != text[same]) same = borders[same - 1];
    if (text[at] == text[same]) ++same;
    borders[at] = same;
  }
  return borders;
}

bool is_of_a_word(const icu::UnicodeString& text, std::int32_t at) {
  return at >= 0 && at < text.length() && ::u_isalnum(text.char32At(at)) != 0;
}

bool stands_alone(const icu::UnicodeString& text, const TextSpan& place) {
  return !is_of_a_word(text, static_cast<std::int32_t>(place.begin) - 1) &&
         !is_of_a_word(text, static_cast<std::int32_t>(place.end));
}

}  // namespace

TextFinder::TextFinder(std::string_view wanted, FindRule rule)
    : rule_(rule), wanted_(Compared(utf16(wanted), rule.match_case).text) {
  borders_ = borders_of(wanted_);
  // A text that is not UTF-8 has other bytes than those that it is compared by.
  const bool is_ascii = !wanted.empty() && static_cast<unsigned char>(wanted.front()) < 0x80;
  if (rule.match_case && is_ascii) first_byte_ = wanted.front();
}

std::vector<TextSpan> TextFinder::find_in(std::string_view text) const {
  std::vector<TextSpan> found;
  if (wanted_.empty() || text.find(first_byte_) == text.npos) return found;
  const auto whole = utf16(text);
  const Compared where(whole, rule_.match_case);
  std::size_t same = 0;  // units of the wanted text that stand before the place
  std::size_t free = 0;  // the end of the last place that was found
  for (std::size_t at = 0; at < where.text.size(); ++at) {
    while (same > 0 && (same == wanted_.size() || where.text[at] != wanted_[same])) {
      same = borders_[same - 1];
    }
    if (where.text[at] == wanted_[same]) ++same;
    if (same < wanted_.size()) continue;
    const std::size_t end = at + 1, begin = end - wanted_.size();
    if (begin < free || !where.is_border(begin) || !where.is_border(end)) continue;
    const TextSpan place{where.origin(begin), where.origin(end)};
    if (rule_.whole_words && !stands_alone(whole, place)) continue;
    found.push_back(place);
    free = end;
  }
  return found;
}

std::vector<TextSpan> find_in(std::string_view text, std::string_view wanted, FindRule rule) {
  return TextFinder(wanted, rule).find_in(text);
}

std::string replaced(std::string_view text, const std::vector<TextSpan>& places,
                     std::string_view with) {
  const auto whole = utf16(text), by = utf16(with);
  icu::UnicodeString made;
  std::int32_t at = 0;
  for (const TextSpan& place : places) {
    const auto begin = static_cast<std::int32_t>(place.begin);
    made.append(whole, at, begin - at).append(by);
    at = static_cast<std::int32_t>(place.end);
  }
  made.append(whole, at, whole.length() - at);
  std::string bytes;
  made.toUTF8String(bytes);
  return bytes;
}

}  // namespace server
