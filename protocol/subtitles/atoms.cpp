#include "protocol/subtitles/atoms.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <memory>

#include "protocol/text_rules.h"

namespace protocol::subtitles {
namespace {

// Whoever speaks slower than this pauses after the text.
constexpr double slow_columns_per_s = 6;

int columns_of_letter(UChar32 letter) {
  constexpr auto unseen = U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK | U_GC_CC_MASK;
  if ((U_GET_GC_MASK(letter) & unseen) != 0) return 0;
  const auto width = ::u_getIntPropertyValue(letter, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

// Calls `visit(letter)` for each code point.
void for_each_letter(std::string_view text, const auto& visit) {
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    UChar32 letter = 0;
    U8_NEXT(text.data(), at, size, letter);
    visit(letter < 0 ? UChar32{0xfffd} : letter);
  }
}

int wide_columns_of(std::string_view text) {
  int wide = 0;
  for_each_letter(text, [&](UChar32 letter) { wide += columns_of_letter(letter) == 2 ? 2 : 0; });
  return wide;
}

// A text in UTF-16, as ICU cuts it, and when each unit of it is said.
struct TimedText {
  icu::UnicodeString text{};
  std::vector<double> starts{};
  std::vector<double> ends{};

  void add(std::string_view piece, double start, double end) {
    const auto units = icu::UnicodeString::fromUTF8({piece.data(), static_cast<int>(piece.size())});
    const double before = ends.empty() ? 0 : ends.back();
    start = std::max(start > 0 ? start : 0, before);
    end = std::max(end > 0 ? end : 0, start);
    const double step = units.isEmpty() ? 0 : (end - start) / units.length();
    for (int i = 0; i < units.length(); ++i) {
      const char16_t unit = units[i];
      text.append(::u_isUWhiteSpace(unit) || unit < ' ' ? u' ' : unit);
      starts.push_back(start + i * step);
      ends.push_back(i + 1 == units.length() ? end : start + (i + 1) * step);
    }
  }

  std::size_t size() const { return starts.size(); }

  bool is_space(std::size_t unit) const { return text[static_cast<int>(unit)] == u' '; }

  // The last unit ends no earlier than this.
  void extend(double end) {
    if (!ends.empty()) ends.back() = std::max(ends.back(), end);
  }
};

// Gives units without a length time: from the silence around them, or else from the text around
// them, until nobody says more than so many units in a second. Models give several words one time
// where they did not listen well.
class SpreadUnits {
 public:
  explicit SpreadUnits(TimedText& text) : text_(text) {}

  void spread() {
    for (std::size_t i = 0; i < text_.size();) {
      const std::size_t begin = i;
      while (i < text_.size() && !has_length(i)) ++i;
      if (i > begin) spread(begin, i);
      if (i == begin) ++i;
    }
  }

 private:
  static constexpr double most_per_s = 30;
  static constexpr std::size_t most_taken = 200;  // of the text around

  bool has_length(std::size_t i) const { return text_.ends[i] > text_.starts[i]; }

  void spread(std::size_t begin, std::size_t end) {
    // Spaces alone need no time.
    while (begin < end && text_.is_space(begin)) ++begin;
    while (begin < end && text_.is_space(end - 1)) --end;
    if (begin == end) return;
    double start = text_.starts[begin], stop = text_.ends[end - 1];
    const auto wanted = [&] { return static_cast<double>(end - begin) / most_per_s; };
    bool takes_before = true;
    for (std::size_t taken = 0; stop - start < wanted() && taken < most_taken; ++taken) {
      if (end < text_.size()) stop = std::max(stop, std::min(text_.starts[end], start + wanted()));
      if (begin > 0) start = std::min(start, std::max(text_.ends[begin - 1], stop - wanted()));
      if (stop - start >= wanted()) break;
      const bool can_before = begin > 0, can_after = end < text_.size();
      if (!can_before && !can_after) break;
      if (can_before && (takes_before || !can_after)) {
        start = std::min(start, text_.starts[--begin]);
      } else {
        stop = std::max(stop, text_.ends[end++]);
      }
      takes_before = !takes_before;
    }
    if (begin == 0 && end == text_.size() && stop <= start) stop = start + wanted();
    const double step = (stop - start) / static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      text_.starts[i] = start + static_cast<double>(i - begin) * step;
      text_.ends[i] = start + static_cast<double>(i - begin + 1) * step;
    }
  }

  TimedText& text_;
};

TimedText timed_text(std::span<const Segment> segments, double longest_s) {
  TimedText timed;
  for (const Segment& segment : segments) {
    if (segment.words.empty()) {
      const auto text = std::string_view(segment.text);
      const auto said = text.substr(leading_space(text));
      const double longest = columns_of(said) / slow_columns_per_s;
      timed.add(text.substr(0, text.size() - said.size()), segment.start, segment.start);
      timed.add(said, segment.start, std::min(segment.end, segment.start + longest));
      timed.extend(std::min(segment.end, segment.start + longest_s));
      continue;
    }
    for (const Word& word : segment.words) {
      const auto space = leading_space(word.word);
      timed.add(word.word.substr(0, space), word.start, word.start);
      timed.add(std::string_view(word.word).substr(space), word.start, word.end);
    }
  }
  SpreadUnits(timed).spread();
  return timed;
}

using Iterator = std::unique_ptr<icu::BreakIterator>;

// Returns the places that the iterator finds, behind 0. Without the iterator: the end alone.
std::vector<int> places(const Iterator& iterator, const icu::UnicodeString& text) {
  std::vector<int> found;
  if (!iterator) return {text.length()};
  iterator->setText(text);
  iterator->first();
  for (int at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    found.push_back(at);
  }
  return found;
}

Iterator made(icu::BreakIterator* (*make)(const icu::Locale&, UErrorCode&),
              const icu::Locale& locale) {
  UErrorCode failure = U_ZERO_ERROR;
  Iterator iterator(make(locale, failure));
  return U_SUCCESS(failure) ? std::move(iterator) : nullptr;
}

class AtomMaker {
 public:
  AtomMaker(const TimedText& timed, const std::string& language, const Rules& rules)
      : timed_(timed), rules_(rules) {
    const icu::Locale locale(language.c_str());
    lines_ = places(made(icu::BreakIterator::createLineInstance, locale), timed.text);
    words_ = places(made(icu::BreakIterator::createWordInstance, locale), timed.text);
    letters_ = places(made(icu::BreakIterator::createCharacterInstance, locale), timed.text);
  }

  std::vector<Atom> make() {
    int begin = 0;
    for (const int end : lines_) {
      add(begin, end);
      begin = end;
    }
    return std::move(atoms_);
  }

 private:
  bool is_space(int at) const { return timed_.text[at] == u' '; }

  std::string text(int begin, int end) const {
    std::string utf8;
    timed_.text.tempSubStringBetween(begin, end).toUTF8String(utf8);
    return utf8;
  }

  void add(int begin, int end) {
    const bool has_space = end > begin && is_space(end - 1);
    while (begin < end && is_space(begin)) ++begin;
    while (begin < end && is_space(end - 1)) --end;
    if (begin == end) {
      if (has_space && !atoms_.empty()) atoms_.back().has_space = true;
      return;
    }
    const int part = begin_of_last_part(begin, end);
    const bool ends_word = has_space || std::ranges::binary_search(words_, end);
    push(part, end, has_space, ends_word);
  }

  // Cuts what is too wide for a line between letters, and returns where its last part begins.
  int begin_of_last_part(int begin, int end) {
    int part = begin;
    if (const auto whole = text(begin, end); fits(columns_of(whole), wide_columns_of(whole))) {
      return part;
    }
    int columns = 0, wide = 0;  // of the part
    for (int last = begin; last < end;) {
      const auto next = std::ranges::upper_bound(letters_, last);
      const int letter_end = next == letters_.end() ? end : std::min(*next, end);
      const std::string letter = text(last, letter_end);
      columns += columns_of(letter);
      wide += wide_columns_of(letter);
      if (last > part && !fits(columns, wide)) {
        push(part, last, false, false);
        part = last;
        columns = columns_of(letter);
        wide = wide_columns_of(letter);
      }
      last = letter_end;
    }
    return part;
  }

  bool fits(int columns, int wide) const {
    return columns <= (2 * wide > columns ? rules_.wide_columns : rules_.columns);
  }

  void push(int begin, int end, bool has_space, bool ends_word) {
    Atom atom{.text = text(begin, end), .has_space = has_space, .ends_word = ends_word};
    atom.columns = columns_of(atom.text);
    atom.start = timed_.starts[static_cast<std::size_t>(begin)];
    atom.end = timed_.ends[static_cast<std::size_t>(end) - 1];
    atoms_.push_back(std::move(atom));
  }

  const TimedText& timed_;
  const Rules& rules_;
  std::vector<int> lines_{};
  std::vector<int> words_{};
  std::vector<int> letters_{};
  std::vector<Atom> atoms_{};
};

}  // namespace

int columns_of(std::string_view text) {
  int columns = 0;
  for_each_letter(text, [&](UChar32 letter) { columns += columns_of_letter(letter); });
  return columns;
}

bool is_wide(std::string_view text) {
  return 2 * wide_columns_of(text) > columns_of(text);
}

std::vector<Atom> atoms_of(std::span<const Segment> segments, const std::string& language,
                           const Rules& rules) {
  const TimedText timed = timed_text(segments, rules.longest_s);
  return AtomMaker(timed, language, rules).make();
}

}  // namespace protocol::subtitles
