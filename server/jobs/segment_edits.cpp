#include "server/jobs/segment_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "protocol/segment_parts.h"
#include "protocol/text_rules.h"
#include "server/jobs/text_edit.h"
#include "server/jobs/word_times.h"

namespace server {
namespace {

using protocol::Segment;
using protocol::Word;

// Returns a text in one line; nothing is left of one of white space.
Result<std::string> line_of(std::string_view text) {
  const std::string line = protocol::replace_space(text, " ");
  const auto is_control = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; };
  if (std::ranges::any_of(line, is_control)) {
    return refused_edit("The text has a control character.", "Leave it out.");
  }
  return std::string(protocol::strip(line));
}

Result<void> check_length(std::size_t bytes) {
  if (bytes <= max_segment_bytes) return {};
  return refused_edit(fmt::format("The text has {} bytes, and a segment may have {} at most.",
                                  bytes, max_segment_bytes),
                      "Split it.");
}

std::vector<Word> words_or_parts(const Segment& segment) {
  if (!segment.words.empty()) return segment.words;
  return timed_words({}, segment.text, segment.start, segment.end);
}

}  // namespace

Error refused_edit(std::string why, std::string fix) {
  return {bad_edit, std::move(why), std::move(fix)};
}

std::size_t words_to_compare(const Segment& segment, std::string_view text) {
  constexpr std::size_t least_word = 2;  // bytes, with the space before it
  return std::min(segment.words.size() * (text.size() / least_word), most_compared_words);
}

Result<bool> set_segment_text(Segment& segment, std::string_view text) {
  const auto line = line_of(text);
  if (!line) return line.error();
  if (line->empty()) return refused_edit("The text is empty.", "Delete the segment instead.");
  if (const auto fits = check_length(line->size()); !fits) return fits.error();
  std::string whole = segment.text.substr(0, protocol::leading_space(segment.text)) + *line;
  if (whole == segment.text) return false;
  if (!segment.words.empty()) {
    segment.words = timed_words(segment.words, whole, segment.start, segment.end);
  }
  segment.text = std::move(whole);
  segment.tokens.clear();  // they are of the old text
  segment.token_logprobs.clear();
  return true;
}

Result<std::pair<Segment, Segment>> split_segment(const Segment& segment, int word) {
  Segment whole = segment;
  whole.words = words_or_parts(segment);
  const auto words = static_cast<int>(whole.words.size());
  if (words < 2) return refused_edit("The segment has one word, and cannot be split.");
  if (word < 1 || word >= words) {
    return refused_edit(
        fmt::format("The segment has {} words, so word must be from 1 to {}.", words, words - 1));
  }
  const std::array borders{std::size_t{0}, static_cast<std::size_t>(word), whole.words.size()};
  auto parts = protocol::cut_segment(whole, borders);
  if (segment.words.empty()) {
    for (Segment& part : parts) part.words.clear();
  }
  return std::pair(std::move(parts[0]), std::move(parts[1]));
}

int count_parts(const Segment& segment) {
  return static_cast<int>(words_or_parts(segment).size());
}

Result<void> append_segment(Segment& segment, const Segment& next) {
  if (segment.channel != next.channel) {
    return refused_edit("The segment and the one behind it are of two channels.");
  }
  const auto fits = check_length(segment.text.size() + next.text.size());
  if (!fits) return fits.error();
  if (!segment.words.empty() || !next.words.empty()) {
    segment.words = words_or_parts(segment);
    std::ranges::move(words_or_parts(next), std::back_inserter(segment.words));
  }
  segment.text += next.text;
  segment.end = std::max(segment.end, next.end);
  if (segment.speaker.empty()) segment.speaker = next.speaker;
  std::ranges::copy(next.tokens, std::back_inserter(segment.tokens));
  std::ranges::copy(next.token_logprobs, std::back_inserter(segment.token_logprobs));
  return {};
}

void set_segment_times(Segment& segment, double start, double end) {
  segment.start = start;
  segment.end = end;
  for (Word& word : segment.words) {
    word.start = std::clamp(word.start, start, end);
    word.end = std::clamp(word.end, start, end);
  }
}

}  // namespace server
