#include "engine/transcriber/language_vote.h"

#include <algorithm>

namespace engine {

bool LanguageVote::add(std::span<const double> probabilities) {
  const bool sure = std::ranges::max(probabilities) > threshold_;
  if (sure || windows_ == 0) {
    sums_.assign(probabilities.begin(), probabilities.end());
    windows_ = 1;
    return sure;
  }
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += probabilities[i];
  ++windows_;
  return false;
}

LanguageVote::Winner LanguageVote::winner() const {
  const auto best = std::ranges::max_element(sums_);
  return {static_cast<std::size_t>(best - sums_.begin()), *best / windows_};
}

}  // namespace engine
