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

}  // namespace

void LiveWords::begin_turn(double begin) {
  committed_end_ = std::max(committed_end_, begin);
  while (!committed_.empty() && committed_.back().is_sign) committed_.pop_back();
  unsure_.clear();
  before_.clear();
}

std::vector<HeardWord> LiveWords::commit(std::size_t count) {
  std::vector<HeardWord> words = take_first(unsure_, count);
  for (const HeardWord& heard : words) {
    if (!heard.is_sign) forget_earlier();
  }
  for (HeardWord& heard : words) {
    heard.word.start = std::max(heard.word.start, committed_end_);
    heard.word.end = std::max(heard.word.end, heard.word.start);
    committed_end_ = heard.word.end;
  }
  committed_.insert(committed_.end(), words.begin(), words.end());
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
  return left;
}

}  // namespace engine
