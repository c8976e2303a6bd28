#include "protocol/highlighted_cues.h"

#include <optional>
#include <string>
#include <string_view>

#include "protocol/text_rules.h"

namespace protocol {
namespace {

// Returns the part of a word to underline: without the white space in front. A word with a line
// break inside is left as it is; one at its very end stays outside, too.
std::optional<CueMark> underlined_part(std::string_view word, std::size_t before) {
  const auto space = leading_space(word);
  const auto body = word.substr(space);
  const auto line_break = body.find('\n');
  if (line_break != body.npos && line_break + 1 != body.size()) return std::nullopt;
  const auto inside = body.substr(0, line_break);
  return CueMark{before + space, before + space + inside.size()};
}

// Returns how many of the words are one cue. A single word always is one.
std::size_t words_of_cue(std::span<const Word> words, std::size_t first,
                         const std::vector<bool>& segment_begins) {
  std::size_t letters = 0;
  std::size_t at_segment = 0;
  for (std::size_t count = 0; first + count < words.size(); ++count) {
    const bool is_late =
        2 * count > most_highlighted_words || 2 * letters > most_highlighted_letters;
    if (is_late && segment_begins[first + count]) at_segment = count;
    letters += length(words[first + count].word);
    const bool is_full = count == most_highlighted_words || letters > most_highlighted_letters;
    if (is_full && count > 0) return at_segment > 0 ? at_segment : count;
  }
  return words.size() - first;
}

void add_highlighted(std::vector<Word> words, std::vector<Cue>& cues) {
  words.front().word.erase(0, leading_space(words.front().word));
  std::string plain;
  for (const Word& word : words) plain += word.word;
  double last = words.front().start;
  std::size_t before = 0;
  for (const Word& word : words) {
    if (to_milliseconds(last) < to_milliseconds(word.start)) {
      cues.push_back({.start = last, .end = word.start, .text = plain});
    }
    cues.push_back({.start = word.start,
                    .end = word.end,
                    .text = plain,
                    .underlined = underlined_part(word.word, before)});
    last = word.end;
    before += word.word.size();
  }
}

}  // namespace

std::vector<Cue> highlighted_cues(std::span<const Word> group,
                                  const std::vector<bool>& segment_begins) {
  std::vector<Cue> cues;
  for (std::size_t first = 0; first < group.size();) {
    const std::size_t count = words_of_cue(group, first, segment_begins);
    const auto words = group.subspan(first, count);
    add_highlighted({words.begin(), words.end()}, cues);
    first += count;
  }
  return cues;
}

}  // namespace protocol
