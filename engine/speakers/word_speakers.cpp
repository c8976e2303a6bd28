#include "engine/speakers/word_speakers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "protocol/speakers.h"

namespace engine {
namespace {

constexpr double near_s = 1;
// A run of words that is shorter than this, or one word, between words of one other speaker is
// theirs, unless the turn that it lies in is longer by so much.
constexpr double short_run_s = 0.3;
constexpr double longer_turn_s = 0.5;

double common_s(const Turn& turn, double start, double end) {
  return std::min(turn.end, end) - std::max(turn.start, start);
}

// Returns the first turn that may reach beyond `time`; turns do not overlap.
std::span<const Turn> turns_from(std::span<const Turn> turns, double time) {
  const auto first =
      std::ranges::partition_point(turns, [&](const Turn& turn) { return turn.end <= time; });
  return turns.subspan(static_cast<std::size_t>(first - turns.begin()));
}

struct WordRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<WordRun> runs_of(std::span<const int> speakers) {
  std::vector<WordRun> runs;
  for (std::size_t i = 0; i < speakers.size(); ++i) {
    if (i == 0 || speakers[i] != speakers[i - 1]) runs.push_back({i, i});
    runs.back().end = i + 1;
  }
  return runs;
}

}  // namespace

Result<SpeakerBounds> speaker_bounds(const protocol::TranscribeOptions& options) {
  SpeakerBounds bounds;
  if (options.num_speakers) {
    if (options.min_speakers.value_or(1) > *options.num_speakers ||
        options.max_speakers.value_or(most_speakers) < *options.num_speakers) {
      return Error{Errc::invalid_option,
                   "num_speakers is " + std::to_string(*options.num_speakers) +
                       ", which min_speakers or max_speakers rules out",
                   "Give num_speakers alone."};
    }
    return SpeakerBounds{*options.num_speakers, *options.num_speakers};
  }
  bounds.least = options.min_speakers.value_or(bounds.least);
  bounds.most = options.max_speakers.value_or(std::max(bounds.most, bounds.least));
  if (bounds.least > bounds.most) {
    return Error{Errc::invalid_option,
                 "min_speakers is " + std::to_string(bounds.least) + " and max_speakers " +
                     std::to_string(bounds.most),
                 "Let min_speakers be the smaller one."};
  }
  return bounds;
}

std::vector<protocol::SpeakerTurn> protocol_turns(std::span<const Turn> turns,
                                                  std::span<const std::string> names) {
  std::vector<protocol::SpeakerTurn> labelled;
  for (const Turn& turn : turns) {
    const auto number = static_cast<std::size_t>(turn.speaker);
    labelled.push_back(
        {turn.start, turn.end,
         number < names.size() ? names[number] : protocol::speaker_label(turn.speaker)});
  }
  return labelled;
}

std::vector<protocol::Segment> WordSpeakers::label(protocol::Segment segment) {
  std::vector<int> speakers;
  for (const protocol::Word& word : segment.words) {
    const double quarter = (word.end - word.start) / 4;
    speakers.push_back(before_ = speaker_of(word.start + quarter, word.end - quarter));
  }
  smooth(segment.words, speakers);
  const auto name = [](int speaker) {
    return speaker < 0 ? std::string() : protocol::speaker_label(speaker);
  };
  const auto runs = runs_of(speakers);
  if (runs.size() < 2) {
    if (speakers.empty()) before_ = speaker_of(segment.start, segment.end);
    segment.speaker = name(speakers.empty() ? before_ : speakers.front());
    segment.id = next_id_++;
    return {std::move(segment)};
  }
  before_ = speakers.back();
  std::vector<protocol::Segment> parts;
  for (const auto& [begin, end] : runs) {
    protocol::Segment part = segment;
    part.id = next_id_++;
    part.speaker = name(speakers[begin]);
    part.words.assign(segment.words.begin() + static_cast<std::ptrdiff_t>(begin),
                      segment.words.begin() + static_cast<std::ptrdiff_t>(end));
    part.text.clear();
    for (const protocol::Word& word : part.words) part.text += word.word;
    if (begin > 0) part.start = part.words.front().start;
    if (end < speakers.size()) part.end = part.words.back().end;
    if (begin > 0) {
      part.tokens.clear();
      part.token_logprobs.clear();
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

int WordSpeakers::speaker_of(double start, double end) {
  std::map<int, double> common;
  int nearest = before_;
  double distance = near_s;
  for (const Turn& turn : turns_from(turns_, start - near_s)) {
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

void WordSpeakers::smooth(std::span<const protocol::Word> words, std::span<int> speakers) const {
  const auto runs = runs_of(speakers);
  for (std::size_t i = 1; i + 1 < runs.size(); ++i) {
    const auto [begin, end] = runs[i];
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
double WordSpeakers::longest_turn(double start, double end, int speaker) const {
  double longest = 0;
  for (const Turn& turn : turns_from(turns_, start)) {
    if (turn.start >= end) break;
    if (turn.speaker == speaker) longest = std::max(longest, turn.end - turn.start);
  }
  return longest;
}

}  // namespace engine
