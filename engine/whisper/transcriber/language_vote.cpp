#include "engine/whisper/transcriber/language_vote.h"

#include <algorithm>
#include <functional>

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

std::vector<LanguageVote::Winner> LanguageVote::winners(std::size_t most) const {
  std::vector<Winner> all;
  for (std::size_t i = 0; i < sums_.size(); ++i) all.push_back({i, sums_[i] / windows_});
  std::ranges::stable_sort(all, std::greater(), &Winner::probability);
  all.resize(std::min(most, all.size()));
  return all;
}

}  // namespace engine
