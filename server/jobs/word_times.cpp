#include "server/jobs/word_times.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "protocol/text_rules.h"
#include "server/jobs/folded_text.h"

namespace server {
namespace {

using protocol::Word;

bool has_no_spaces(UChar32 letter) {
  UErrorCode failure = U_ZERO_ERROR;
  switch (::uscript_getScript(letter, &failure)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return (U_GET_GC_MASK(letter) & U_GC_M_MASK) == 0;  // marks belong to the letter before them
    default:
      return false;
  }
}

// Returns where each word of the text ends, in bytes.
std::vector<std::size_t> word_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  bool has_letters = false;       // the word that is being read
  bool ends_at_a_letter = false;  // it is of a script without spaces
  std::int32_t at = 0;
  const auto size = static_cast<std::int32_t>(text.size());
  while (at < size) {
    const std::int32_t begin = at;
    UChar32 c = 0;
    U8_NEXT(text.data(), at, size, c);
    const bool is_space = c >= 0 && ::u_isUWhiteSpace(c);
    const bool is_alone = c >= 0 && has_no_spaces(c);
    const bool follows_one = ends_at_a_letter && c >= 0 && ::u_isalnum(c);
    if (has_letters && (is_space || is_alone || follows_one)) {
      ends.push_back(static_cast<std::size_t>(begin));
      has_letters = ends_at_a_letter = false;
    }
    has_letters = has_letters || !is_space;
    ends_at_a_letter = ends_at_a_letter || is_alone;
  }
  if (!text.empty()) ends.push_back(text.size());
  return ends;
}

// What is compared of a word: not its case, nor its punctuation unless it has nothing else.
std::u16string key_of(std::string_view word) {
  const std::u16string whole = folded(protocol::strip(word));
  std::u16string key;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t begin = at;
    UChar32 c = 0;
    U16_NEXT(whole.data(), at, whole.size(), c);
    if (!::u_ispunct(c)) key.append(whole, begin, at - begin);
  }
  return key.empty() ? whole : key;
}

// A text in parts that are compared with those of another one.
struct Parts {
  std::vector<std::string_view> texts{};
  std::vector<std::u16string> keys{};

  explicit Parts(std::string_view text) {
    std::size_t begin = 0;
    for (const std::size_t end : word_ends(text)) {
      texts.push_back(text.substr(begin, end - begin));
      keys.push_back(key_of(texts.back()));
      begin = end;
    }
  }
};

using Keys = std::span<const std::u16string>;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

// Finds the longest common subsequence, and writes where in `b` each part of `a` is.
void match_between(Keys a, Keys b, std::size_t first_of_b, std::span<std::size_t> places) {
  if (a.empty() || b.empty() || a.size() > most_compared_words / b.size()) return;
  const std::size_t width = b.size() + 1;
  std::vector<std::uint16_t> longest((a.size() + 1) * width);  // of what is behind both places
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      longest[i * width + j] =
          a[i] == b[j] ? static_cast<std::uint16_t>(longest[(i + 1) * width + j + 1] + 1)
                       : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      places[i++] = first_of_b + j++;
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
}

// Returns for each part of `a` the part of `b` that is the same; nowhere: none.
std::vector<std::size_t> matched(Keys a, Keys b) {
  std::vector<std::size_t> places(a.size(), nowhere);
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t front = 0, back = 0;
  while (front < most && a[front] == b[front]) ++front;
  while (back < most - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  for (std::size_t i = 0; i < front; ++i) places[i] = i;
  for (std::size_t i = 1; i <= back; ++i) places[a.size() - i] = b.size() - i;
  match_between(a.subspan(front, a.size() - front - back),
                b.subspan(front, b.size() - front - back), front, std::span(places).subspan(front));
  return places;
}

// Words of before that stand between the same borders as parts of their text: most often one word
// and one part, but "-known" is a word without a part of its own, and a word may have two letters
// that are a part each.
struct Group {
  std::size_t first_word = 0, words = 0;
  std::size_t first_part = 0, parts = 0;
};

std::vector<Group> groups_of(std::span<const Word> words, const Parts& parts) {
  std::vector<Group> groups;
  Group group;
  std::size_t word_end = 0, part_end = 0;
  std::size_t word = 0, part = 0;
  while (word < words.size() || part < parts.texts.size()) {
    const bool takes_word =
        word < words.size() && (word_end <= part_end || part == parts.texts.size());
    if (takes_word) {
      word_end += words[word++].word.size();
      ++group.words;
    } else {
      part_end += parts.texts[part++].size();
      ++group.parts;
    }
    if (word_end != part_end || group.words == 0 || group.parts == 0) continue;
    groups.push_back(group);
    group = {.first_word = word, .first_part = part};
  }
  return groups;
}

// Returns the place in the new text of a group all of whose parts are there, one behind the other.
std::optional<std::size_t> place_of(const Group& group, std::span<const std::size_t> places) {
  const std::size_t first = places[group.first_part];
  if (first == nowhere) return std::nullopt;
  for (std::size_t i = 1; i < group.parts; ++i) {
    if (places[group.first_part + i] != first + i) return std::nullopt;
  }
  return first;
}

std::string joined(std::span<const std::string_view> texts) {
  return std::accumulate(texts.begin(), texts.end(), std::string(),
                         [](std::string sum, std::string_view one) { return sum.append(one); });
}

std::size_t letters(std::string_view word) {
  return std::max<std::size_t>(1, protocol::length(protocol::strip(word)));
}

// Builds the new words from left to right.
class Timeline {
 public:
  Timeline(std::span<const Word> before, double start, double end)
      : before_(before), end_(end), reached_(start) {}

  // Adds words of before. Where their text is another now they are one word with their times.
  void keep(const Group& group, std::string text) {
    const auto words = before_.subspan(group.first_word, group.words);
    std::string was;
    for (const Word& word : words) was += word.word;
    if (was == text) {
      words_.insert(words_.end(), words.begin(), words.end());
    } else {
      words_.push_back({.start = words.front().start,
                        .end = words.back().end,
                        .word = std::move(text),
                        .probability = 1});
    }
    next_ = group.first_word + group.words;
    reached_ = std::max(reached_, words.back().end);
  }

  // Adds new words, which stand before number `until` of the words of before.
  void share(std::span<const std::string_view> texts, std::size_t until) {
    if (texts.empty()) return;
    const bool replaces = until > next_;
    const double border = std::clamp(until < before_.size() ? before_[until].start : end_, reached_,
                                     std::max(reached_, end_));
    const double from = replaces ? std::clamp(before_[next_].start, reached_, border) : reached_;
    const double to = replaces ? std::clamp(before_[until - 1].end, from, border) : border;
    std::size_t all = 0, passed = 0;
    for (const auto text : texts) all += letters(text);
    double begin = from;
    for (const auto text : texts) {
      passed += letters(text);
      const double part = static_cast<double>(passed) / static_cast<double>(all);
      const double rounded = std::round((from + (to - from) * part) * 1000) / 1000;
      const double finish = passed == all ? to : std::clamp(rounded, begin, to);
      words_.push_back(
          {.start = begin, .end = finish, .word = std::string(text), .probability = 1});
      begin = finish;
    }
    reached_ = to;
  }

  std::vector<Word> take() { return std::move(words_); }

 private:
  std::span<const Word> before_;
  double end_;
  double reached_;        // the end of the last word
  std::size_t next_ = 0;  // the first word of before that was not yet passed
  std::vector<Word> words_{};
};

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  const Parts parts(text);
  return {parts.texts.begin(), parts.texts.end()};
}

std::vector<Word> timed_words(std::span<const Word> before, std::string_view text, double start,
                              double end) {
  std::string old_text;
  for (const Word& word : before) old_text += word.word;
  const Parts old_parts(old_text), parts(text);
  const auto places = matched(old_parts.keys, parts.keys);
  const auto texts = std::span(parts.texts);
  Timeline timeline(before, start, end);
  std::size_t written = 0;
  for (const Group& group : groups_of(before, old_parts)) {
    const auto place = place_of(group, places);
    if (!place) continue;
    timeline.share(texts.subspan(written, *place - written), group.first_word);
    timeline.keep(group, joined(texts.subspan(*place, group.parts)));
    written = *place + group.parts;
  }
  timeline.share(texts.subspan(written), before.size());
  return timeline.take();
}

}  // namespace server
