#include "engine/whisper/torch_model/prompt_batch.h"

#include <algorithm>
#include <bit>
#include <map>

namespace engine {

void PromptBatch::add(const Prompt& prompt, int row, int window) {
  const bool goes_on = !runs_.empty() && runs_.back().first_window + runs_.back().count == window;
  if (goes_on) {
    ++runs_.back().count;
  } else {
    runs_.push_back({size(), window, 1});
  }
  tokens_.push_back(prompt.tokens);
  sots_.push_back(prompt.sot_index);
  rows_.push_back(row);
  length_ = std::max(length_, static_cast<int>(prompt.tokens.size()));
}

std::vector<std::int64_t> PromptBatch::numbers() const {
  std::vector<std::int64_t> numbers;
  for (const auto& tokens : tokens_) {
    numbers.insert(numbers.end(), tokens.begin(), tokens.end());
    numbers.resize(numbers.size() + static_cast<std::size_t>(length_) - tokens.size());
  }
  numbers.insert(numbers.end(), rows_.begin(), rows_.end());
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i, begin += length_) {
    numbers.push_back(begin + sots_[i]);
    numbers.push_back(begin + std::ssize(tokens_[i]) - 1);
  }
  return numbers;
}

std::vector<std::vector<std::size_t>> prompt_groups(std::span<const Prompt> prompts, int most) {
  constexpr std::size_t shortest = 8;
  std::map<std::size_t, std::vector<std::size_t>> by_length;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    by_length[std::bit_ceil(std::max(prompts[i].tokens.size(), shortest))].push_back(i);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [length, indices] : by_length) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (i % static_cast<std::size_t>(most) == 0) groups.emplace_back();
      groups.back().push_back(indices[i]);
    }
  }
  return groups;
}

}  // namespace engine
