#include "engine/whisper/transcriber/live_words.h"

#include <algorithm>
#include <iterator>

namespace engine {
namespace {

std::vector<HeardWord> take_first(std::vector<HeardWord>& words, std::size_t count) {
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(count, words.size()));
  std::vector<HeardWord> taken(std::make_move_iterator(words.begin()),
                               std::make_move_iterator(end));
  words.erase(words.begin(), end);
  return taken;
}

// Makes times that do not go back, nor before `end`; returns where the last word ends.
double follow(std::vector<HeardWord>& words, double end) {
  for (HeardWord& heard : words) {
    heard.word.start = std::max(heard.word.start, end);
    heard.word.end = std::max(heard.word.end, heard.word.start);
    end = heard.word.end;
  }
  return end;
}

}  // namespace

void drop_first_signs(std::vector<HeardWord>& words) {
  words.erase(words.begin(), std::ranges::find(words, false, &HeardWord::is_sign));
}

void LiveWords::begin_turn(double begin) {
  committed_end_ = std::max(committed_end_, begin);
  turn_begin_ = committed_end_;
  while (!committed_.empty() && committed_.back().is_sign) committed_.pop_back();
  earlier_ = committed_.size();
  unsure_.clear();
  before_.clear();
}

std::vector<HeardWord> LiveWords::commit(std::size_t count) {
  std::vector<HeardWord> words = take_first(unsure_, count);
  for (const HeardWord& heard : words) {
    if (!heard.is_sign) forget_earlier();
  }
  committed_end_ = follow(words, committed_end_);
  committed_.insert(committed_.end(), words.begin(), words.end());
  return words;
}

bool LiveWords::is_reached_by(const std::vector<HeardWord>& words, double short_s) const {
  return !words.empty() && words.back().word.end + short_s >= committed_end_;
}

std::vector<HeardWord> LiveWords::revise(std::vector<HeardWord> words, double from, double begin) {
  if (from <= turn_begin_) drop_first_signs(words);
  committed_end_ = std::max(follow(words, from), left_end_);
  committed_.resize(earlier_);
  std::ranges::copy_if(words, std::back_inserter(committed_),
                       [&](const HeardWord& heard) { return heard.word.end > begin; });
  unsure_.clear();
  before_.clear();
  return words;
}

// Passes may differ in their signs, so words alone are counted.
void LiveWords::forget_earlier() {
  const auto word = std::ranges::find(before_, false, &HeardWord::is_sign);
  before_.erase(before_.begin(), word == before_.end() ? word : word + 1);
}

std::size_t LiveWords::ended_by(double time) const {
  const auto end =
      std::ranges::find_if(unsure_, [&](const HeardWord& heard) { return heard.word.end > time; });
  return static_cast<std::size_t>(end - unsure_.begin());
}

std::vector<HeardWord> LiveWords::leave_behind(double time) {
  const auto kept = std::ranges::find_if(
      committed_, [&](const HeardWord& heard) { return heard.word.end > time; });
  auto left = take_first(committed_, static_cast<std::size_t>(kept - committed_.begin()));
  if (!left.empty()) left_end_ = left.back().word.end;
  earlier_ -= std::min(earlier_, left.size());
  return left;
}

}  // namespace engine
