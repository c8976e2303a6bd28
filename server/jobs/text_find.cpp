#include "server/jobs/text_find.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>

#include <cstdint>
#include <optional>

namespace server {
namespace {

icu::UnicodeString utf16(std::string_view text) {
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

// A text as it is compared. `origins` has for each unit the one that it comes from, and for the
// end the end: folding may make two letters of one.
struct Compared {
  std::u16string text{};
  std::vector<std::size_t> origins{};

  Compared(const icu::UnicodeString& whole, bool match_case) {
    for (std::int32_t at = 0; at < whole.length();) {
      const std::int32_t end = whole.moveIndex32(at, 1);
      icu::UnicodeString letter(whole, at, end - at);
      if (!match_case) letter.foldCase();
      text.append(letter.getBuffer(), static_cast<std::size_t>(letter.length()));
      origins.resize(text.size(), static_cast<std::size_t>(at));
      at = end;
    }
    origins.push_back(static_cast<std::size_t>(whole.length()));
  }

  // Whether a letter of the original begins here.
  bool is_border(std::size_t at) const { return at == 0 || origins[at] != origins[at - 1]; }
};

bool is_of_a_word(const icu::UnicodeString& text, std::int32_t at) {
  return at >= 0 && at < text.length() && ::u_isalnum(text.char32At(at)) != 0;
}

bool stands_alone(const icu::UnicodeString& text, const TextSpan& place) {
  return !is_of_a_word(text, static_cast<std::int32_t>(place.begin) - 1) &&
         !is_of_a_word(text, static_cast<std::int32_t>(place.end));
}

}  // namespace

std::vector<TextSpan> find_in(std::string_view text, std::string_view wanted, FindRule rule) {
  std::vector<TextSpan> found;
  const auto whole = utf16(text);
  const Compared where(whole, rule.match_case), what(utf16(wanted), rule.match_case);
  if (what.text.empty()) return found;
  std::size_t at = where.text.find(what.text);
  while (at != where.text.npos) {
    const std::size_t end = at + what.text.size();
    const TextSpan place{where.origins[at], where.origins[end]};
    const bool fits = where.is_border(at) && where.is_border(end) &&
                      (!rule.whole_words || stands_alone(whole, place));
    if (fits) found.push_back(place);
    at = where.text.find(what.text, fits ? end : at + 1);
  }
  return found;
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
