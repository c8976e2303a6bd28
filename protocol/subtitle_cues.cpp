#include "protocol/subtitle_cues.h"

#include <algorithm>

#include "protocol/text_rules.h"

namespace protocol {
namespace {

constexpr double long_pause_s = 3;
constexpr int unlimited = 1000;

int positive_or(std::optional<int> value, int otherwise) {
  return value && *value > 0 ? *value : otherwise;
}

// Groups words into cues, one word at a time. In a finished group each word begins with its
// separator: its own space, a line break, or nothing.
class WordBreaker {
 public:
  explicit WordBreaker(const WriterOptions& options)
      : width_(static_cast<std::size_t>(positive_or(options.max_line_width, unlimited))),
        line_limit_(positive_or(options.max_line_count, 0)),
        keep_segments_(line_limit_ == 0 || positive_or(options.max_line_width, 0) == 0) {}

  // Pauses are measured from the start of one word to the start of the next.
  void start_at(double seconds) { last_start_ = seconds; }

  // `chunk_begins` is true for the first word of a segment and after each max_words_per_line words.
  void add(Word word, bool chunk_begins) {
    const std::size_t word_length = length(word.word);
    const bool long_pause = !keep_segments_ && word.start - last_start_ > long_pause_s;
    const bool must_break = chunk_begins && keep_segments_ && !group_.empty();
    const bool has_room = line_length_ + word_length <= width_;
    last_start_ = word.start;
    if (line_length_ > 0 && has_room && !long_pause && !must_break) {
      line_length_ += word_length;
    } else {
      word.word = std::string(strip(word.word));
      const std::size_t stripped_length = length(word.word);
      if (must_break || group_is_full(long_pause)) {
        end_group();
      } else if (line_length_ > 0) {
        ++line_count_;
        word.word.insert(0, 1, '\n');
      }
      line_length_ = stripped_length;
    }
    group_.push_back(std::move(word));
  }

  std::vector<std::vector<Word>> finish() {
    if (!group_.empty()) end_group();
    return std::move(groups_);
  }

 private:
  bool group_is_full(bool long_pause) const {
    return !group_.empty() && line_limit_ > 0 && (long_pause || line_count_ >= line_limit_);
  }

  void end_group() {
    groups_.push_back(std::move(group_));
    group_.clear();
    line_count_ = 1;
  }

  std::size_t width_;
  int line_limit_;  // 0: none
  bool keep_segments_;
  double last_start_ = 0;
  std::size_t line_length_ = 0;
  int line_count_ = 1;
  std::vector<Word> group_;
  std::vector<std::vector<Word>> groups_;
};

std::vector<std::vector<Word>> break_words(std::span<const Segment> segments,
                                           const WriterOptions& options) {
  const auto chunk = static_cast<std::size_t>(positive_or(options.max_words_per_line, unlimited));
  WordBreaker breaker(options);
  const auto first = std::ranges::find_if(segments, [](const auto& s) { return !s.words.empty(); });
  if (first != segments.end()) breaker.start_at(first->words.front().start);
  for (const auto& segment : segments) {
    for (std::size_t i = 0; i < segment.words.size(); ++i) {
      breaker.add(segment.words[i], i % chunk == 0);
    }
  }
  return breaker.finish();
}

std::string join(std::span<const Word> words) {
  std::string text;
  for (const auto& word : words) text += word.word;
  return text;
}

// Underlines a word without the white space in front. A word with a line break inside is left as it
// is; one at its very end stays outside too.
std::string underline(std::string_view word) {
  const auto space = leading_space(word);
  const auto body = word.substr(space);
  const auto line_break = body.find('\n');
  if (line_break != body.npos && line_break + 1 != body.size()) return std::string(word);
  const auto inside = body.substr(0, line_break);
  return std::string(word.substr(0, space)) + "<u>" + std::string(inside) + "</u>" +
         std::string(body.substr(inside.size()));
}

void add_highlighted(std::span<const Word> group, std::vector<Cue>& cues) {
  const std::string plain = join(group);
  double last = group.front().start;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Word& word = group[i];
    if (to_milliseconds(last) != to_milliseconds(word.start)) {
      cues.push_back({last, word.start, plain});
    }
    cues.push_back({word.start, word.end,
                    join(group.first(i)) + underline(word.word) + join(group.subspan(i + 1))});
    last = word.end;
  }
}

}  // namespace

Cue segment_cue(const Segment& segment) {
  // "-->" within the text would look like a time line.
  return {segment.start, segment.end, replace_all(strip(segment.text), "-->", "->")};
}

std::vector<Cue> word_cues(std::span<const Segment> segments, const WriterOptions& options) {
  std::vector<Cue> cues;
  for (const auto& group : break_words(segments, options)) {
    if (options.highlight_words) {
      add_highlighted(group, cues);
    } else {
      cues.push_back({group.front().start, group.back().end, join(group)});
    }
  }
  return cues;
}

}  // namespace protocol
