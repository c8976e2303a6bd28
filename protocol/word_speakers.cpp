#include "protocol/word_speakers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "protocol/segment_parts.h"

namespace protocol {
namespace {

constexpr double near_s = 1;
// A run of words that is shorter than this, or one word, between words of one other speaker is
// theirs, unless the turn that it lies in is longer by so much.
constexpr double short_run_s = 0.3;
constexpr double longer_turn_s = 0.5;

// Speakers are numbers here, in the order of their first turns.
struct Turn {
  double start = 0;
  double end = 0;
  int speaker = 0;
};

double common_s(const Turn& turn, double start, double end) {
  return std::min(turn.end, end) - std::max(turn.start, start);
}

// Returns where each run of one speaker begins, and the end.
std::vector<std::size_t> borders_of(std::span<const int> speakers) {
  std::vector<std::size_t> borders{0};
  for (std::size_t i = 1; i < speakers.size(); ++i) {
    if (speakers[i] != speakers[i - 1]) borders.push_back(i);
  }
  borders.push_back(speakers.size());
  return borders;
}

// The speakers of one channel's words, one segment after the other.
class WordSpeakers {
 public:
  WordSpeakers(std::span<const SpeakerTurn> turns, std::optional<int> channel) {
    for (const SpeakerTurn& turn : turns) {
      if (turn.channel && turn.channel != channel) continue;
      turns_.push_back({turn.start, turn.end, number_of(turn.speaker)});
    }
  }

  void name(const Segment& segment, std::vector<Segment>& parts) {
    if (turns_.empty() || segment.words.empty()) {
      before_ = speaker_of(segment.start, segment.end).value_or(otherwise(segment.start));
      parts.push_back(segment);
      parts.back().speaker = name_of(before_);
      return;
    }
    std::vector<int> speakers = speakers_of(segment);
    smooth(segment.words, speakers);
    before_ = speakers.back();
    const auto borders = borders_of(speakers);
    for (Segment& part : cut_segment(segment, borders)) parts.push_back(std::move(part));
    const std::size_t first = parts.size() - (borders.size() - 1);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      parts[first + i].speaker = name_of(speakers[borders[i]]);
    }
  }

 private:
  int number_of(const std::string& speaker) {
    const auto number = std::ranges::find(names_, speaker) - names_.begin();
    if (number == std::ssize(names_)) names_.push_back(speaker);
    return static_cast<int>(number);
  }

  std::string name_of(int speaker) const {
    return speaker < 0 ? std::string() : names_[static_cast<std::size_t>(speaker)];
  }

  // Returns the first turn that may reach beyond `time`; turns do not overlap.
  std::span<const Turn> turns_from(double time) const {
    const auto first =
        std::ranges::partition_point(turns_, [&](const Turn& turn) { return turn.end <= time; });
    return std::span(turns_).subspan(static_cast<std::size_t>(first - turns_.begin()));
  }

  // Returns the speakers of the segment's words, of which there are some, and turns too.
  std::vector<int> speakers_of(const Segment& segment) const {
    std::vector<std::optional<int>> found;
    for (const Word& word : segment.words) {
      const double quarter = (word.end - word.start) / 4;
      found.push_back(speaker_of(word.start + quarter, word.end - quarter));
    }
    const auto known =
        std::ranges::find_if(found, [](const auto& speaker) { return speaker.has_value(); });
    int last = known != found.end() ? **known : otherwise(segment.start);
    std::vector<int> speakers;
    for (const auto& speaker : found) speakers.push_back(last = speaker.value_or(last));
    return speakers;
  }

  // Returns the speaker of a segment that lies in no turn: that of the one before, or of the
  // nearest turn; -1: there is none.
  int otherwise(double time) const {
    if (before_ >= 0 || turns_.empty()) return before_;
    return std::ranges::min_element(
               turns_, {},
               [&](const Turn& turn) { return std::max(turn.start - time, time - turn.end); })
        ->speaker;
  }

  // Returns who speaks between, or nearest to it; nothing: nobody within a second.
  std::optional<int> speaker_of(double start, double end) const {
    std::map<int, double> common;
    std::optional<int> nearest;
    double distance = near_s;
    for (const Turn& turn : turns_from(start - near_s)) {
      if (turn.start > end + near_s) break;
      const double s = common_s(turn, start, end);
      if (s > 0) common[turn.speaker] += s;
      if (-s < distance) {
        distance = -s;
        nearest = turn.speaker;
      }
    }
    if (common.empty()) return nearest;
    return std::ranges::max_element(common, {}, [](const auto& entry) { return entry.second; })
        ->first;
  }

  void smooth(std::span<const Word> words, std::span<int> speakers) const {
    const auto borders = borders_of(speakers);
    for (std::size_t i = 1; i + 2 < borders.size(); ++i) {
      const std::size_t begin = borders[i], end = borders[i + 1];
      const int around = speakers[begin - 1];
      if (around != speakers[end] || around == speakers[begin]) continue;
      const double start = words[begin].start;
      const double length = words[end - 1].end - start;
      if (end - begin > 1 && length >= short_run_s) continue;
      if (longest_turn(start, start + length, speakers[begin]) > length + longer_turn_s) continue;
      std::ranges::fill(speakers.subspan(begin, end - begin), around);
    }
  }

  // Returns the length of the longest turn of the speaker that meets the time between.
  double longest_turn(double start, double end, int speaker) const {
    double longest = 0;
    for (const Turn& turn : turns_from(start)) {
      if (turn.start >= end) break;
      if (turn.speaker == speaker) longest = std::max(longest, turn.end - turn.start);
    }
    return longest;
  }

  std::vector<Turn> turns_{};
  std::vector<std::string> names_{};
  int before_ = -1;  // the speaker of the segment before; -1: none
};

}  // namespace

std::vector<Segment> name_speakers(std::span<const Segment> segments,
                                   std::span<const SpeakerTurn> turns) {
  std::map<std::optional<int>, WordSpeakers> channels;
  std::vector<Segment> parts;
  for (const Segment& segment : segments) {
    const auto channel = channels.try_emplace(segment.channel, turns, segment.channel).first;
    channel->second.name(segment, parts);
  }
  int id = 0;
  for (Segment& part : parts) part.id = id++;
  return parts;
}

}  // namespace protocol
