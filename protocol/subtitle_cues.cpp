#include "protocol/subtitle_cues.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "protocol/cue_text.h"
#include "protocol/cue_times.h"
#include "protocol/highlighted_cues.h"
#include "protocol/segment_runs.h"
#include "protocol/speakers.h"
#include "protocol/text_rules.h"

namespace protocol {
namespace {

constexpr double long_pause_s = 3;
constexpr int unlimited = 1000;

int positive_or(std::optional<int> value, int otherwise) {
  return value && *value > 0 ? *value : otherwise;
}

// The words of a cue, in which segments may begin.
struct WordGroup {
  std::vector<Word> words{};
  std::vector<bool> segment_begins{};  // for each word
};

// Groups words into cues, one word at a time. In a finished group each word begins with its
// separator: its own space, a line break, or nothing.
class WordBreaker {
 public:
  //   label: characters of the speaker's label in the first line of the first cue, or of each
  WordBreaker(const WriterOptions& options, std::size_t label, bool labels_each)
      : width_(static_cast<std::size_t>(positive_or(options.max_line_width, unlimited))),
        label_(label),
        labels_each_(labels_each),
        line_limit_(positive_or(options.max_line_count, 0)),
        keep_segments_(line_limit_ == 0 || positive_or(options.max_line_width, 0) == 0) {}

  // Pauses are measured from the start of one word to the start of the next.
  void start_at(double seconds) { last_start_ = seconds; }

  // `chunk_begins` is true for the first word of a segment and after each max_words_per_line words.
  void add(Word word, bool segment_begins, bool chunk_begins) {
    const std::size_t word_length = length(word.word);
    const bool long_pause = !keep_segments_ && word.start - last_start_ > long_pause_s;
    const bool must_break = chunk_begins && keep_segments_ && !group_.words.empty();
    const bool is_labeled = line_count_ == 1 && (groups_.empty() || labels_each_);
    const std::size_t label = is_labeled ? label_ : 0;
    const bool has_room = label + line_length_ + word_length <= width_;
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
    group_.words.push_back(std::move(word));
    group_.segment_begins.push_back(segment_begins);
  }

  std::vector<WordGroup> finish() {
    if (!group_.words.empty()) end_group();
    return std::move(groups_);
  }

 private:
  bool group_is_full(bool long_pause) const {
    return !group_.words.empty() && line_limit_ > 0 && (long_pause || line_count_ >= line_limit_);
  }

  void end_group() {
    groups_.push_back(std::exchange(group_, {}));
    line_count_ = 1;
  }

  std::size_t width_;
  std::size_t label_;
  bool labels_each_;
  int line_limit_;  // 0: none
  bool keep_segments_;
  double last_start_ = 0;
  std::size_t line_length_ = 0;
  int line_count_ = 1;
  WordGroup group_;
  std::vector<WordGroup> groups_;
};

std::vector<WordGroup> break_words(const SegmentRun& run, const WriterOptions& options) {
  const std::span<const Segment> segments = run.segments;
  const auto chunk = static_cast<std::size_t>(positive_or(options.max_words_per_line, unlimited));
  const std::string speaker = speaker_of(segments.front(), options.channel_labels);
  const std::size_t label = speaker.empty() ? 0 : length(speaker + ": ");
  WordBreaker breaker(options, label, run.is_interrupted);
  breaker.start_at(segments.front().words.front().start);
  for (const auto& segment : segments) {
    for (std::size_t i = 0; i < segment.words.size(); ++i) {
      breaker.add(segment.words[i], i == 0, i % chunk == 0);
    }
  }
  return breaker.finish();
}

std::string join(std::span<const Word> words) {
  std::string text;
  for (const auto& word : words) text += word.word;
  return text;
}

std::vector<CueWord> marks_of(std::span<const Word> group) {
  std::vector<CueWord> marks;
  std::size_t at = 0;
  for (const Word& word : group) {
    marks.push_back({at + leading_space(word.word), word.start});
    at += word.word.size();
  }
  return marks;
}

// Returns the cues of segments that one speaker says on one channel. All of them have words.
std::vector<Cue> cues_of_run(const SegmentRun& run, const WriterOptions& options) {
  std::vector<Cue> cues;
  for (const auto& [words, segment_begins] : break_words(run, options)) {
    if (options.highlight_words) {
      std::ranges::move(highlighted_cues(words, segment_begins), std::back_inserter(cues));
    } else {
      cues.push_back({.start = words.front().start, .end = words.back().end, .text = join(words)});
      if (options.mark_words) cues.back().words = marks_of(words);
    }
  }
  for (Cue& cue : cues) {
    name_cue(cue, run.segments.front(), options);
    remove_blank_lines(cue);
  }
  std::erase_if(cues, [](const Cue& cue) { return cue.text.empty(); });
  give_time(cues);
  return cues;
}

bool is_one_run(const Segment& a, const Segment& b) {
  return !a.words.empty() && !b.words.empty() && a.speaker == b.speaker && a.channel == b.channel;
}

}  // namespace

void name_cue(Cue& cue, const Segment& segment, const WriterOptions& options) {
  cue.speaker = speaker_of(segment, options.channel_labels);
  cue.is_channel = segment.speaker.empty();
}

std::optional<Cue> segment_cue(const Segment& segment, const WriterOptions& options) {
  Cue cue{.start = segment.start, .end = segment.end, .text = std::string(strip(segment.text))};
  remove_blank_lines(cue);
  if (cue.text.empty()) return std::nullopt;
  name_cue(cue, segment, options);
  give_time(std::span(&cue, 1));
  return cue;
}

std::vector<Cue> word_cues(std::span<const Segment> segments, const WriterOptions& options) {
  const auto said = segments_with_text(segments);
  std::vector<Cue> cues;
  for (const SegmentRun& run : interrupted_runs(segment_runs(said, is_one_run))) {
    if (!run.segments.front().words.empty()) {
      std::ranges::move(cues_of_run(run, options), std::back_inserter(cues));
    } else if (auto cue = segment_cue(run.segments.front(), options)) {
      cues.push_back(*std::move(cue));
    }
  }
  std::ranges::stable_sort(cues, {}, [](const Cue& cue) { return to_milliseconds(cue.start); });
  return cues;
}

}  // namespace protocol
