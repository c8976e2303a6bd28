#include "server/live/kept_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/sentence_end.h"

namespace server {
namespace {

using protocol::Segment;
using protocol::Word;

constexpr double sentence_above_s = 5;
constexpr double longest_s = 15;

bool is_complete(const std::vector<Word>& words) {
  const double length = words.back().end - words.front().start;
  return length >= longest_s ||
         (length >= sentence_above_s && protocol::ends_sentence(words.back().word));
}

// Returns the mean of the logarithms of the probabilities that are known; 0: none is.
double mean_logprob(const std::vector<Word>& words) {
  double sum = 0;
  int known = 0;
  for (const Word& word : words) {
    if (word.probability <= 0) continue;
    sum += std::log(word.probability);
    ++known;
  }
  return known == 0 ? 0 : sum / known;
}

Segment segment_of(std::vector<Word> words, double from_s) {
  Segment segment;
  for (Word& word : words) {
    word.start = std::max(0.0, word.start - from_s);
    word.end = std::max(word.start, word.end - from_s);
    segment.text += word.word;
  }
  segment.start = words.front().start;
  segment.end = words.back().end;
  segment.avg_logprob = mean_logprob(words);
  segment.words = std::move(words);
  return segment;
}

}  // namespace

std::vector<Segment> KeptText::take(const protocol::TranscriptEvent& event) {
  if (const auto* told = std::get_if<protocol::LiveWords>(&event)) return take_words(*told);
  if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) return take_turn(*turn);
  return {};
}

// Words of a turn that had no end were cleared by the client.
void KeptText::begin_turn(int turn) {
  if (turn == turn_) return;
  turn_ = turn;
  has_segment_ = false;
  words_.clear();
}

std::vector<Segment> KeptText::take_words(const protocol::LiveWords& told) {
  begin_turn(told.turn);
  if (!settings_.waits_for_turns) return add(told.words, "");
  words_.insert(words_.end(), told.words.begin(), told.words.end());
  return {};
}

// The text that ends a turn may be better than the words that were told of it.
std::vector<Segment> KeptText::take_turn(const protocol::TurnEnded& turn) {
  begin_turn(turn.turn);
  std::vector<Segment> made;
  if (settings_.waits_for_turns || (!has_segment_ && !turn.words.empty())) {
    words_.clear();
    made = add(turn.words, turn.speaker);
  }
  end_segment(made, turn.speaker);
  begin_turn(0);
  return made;
}

std::vector<Segment> KeptText::rest() {
  std::vector<Segment> made = add(std::exchange(words_, {}), "");
  end_segment(made, "");
  return made;
}

std::vector<Segment> KeptText::add(const std::vector<Word>& words, const std::string& speaker) {
  std::vector<Segment> made;
  for (const Word& word : words) {
    if (word.start < settings_.from_s) continue;
    words_.push_back(word);
    if (is_complete(words_)) end_segment(made, speaker);
  }
  return made;
}

void KeptText::end_segment(std::vector<Segment>& made, const std::string& speaker) {
  if (words_.empty()) return;
  has_segment_ = true;
  made.push_back(segment_of(std::exchange(words_, {}), settings_.from_s));
  made.back().speaker = speaker;
}

}  // namespace server
