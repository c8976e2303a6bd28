#include "engine/whisper/transcriber/prompt_history.h"

#include <algorithm>
#include <utility>

namespace engine {

PromptHistory::PromptHistory(std::vector<int> hotwords, std::vector<int> initial_prompt, bool carry,
                             std::size_t max_tokens)
    : leading_(std::move(hotwords)), max_tokens_(max_tokens) {
  if (!carry) {
    leading_.resize(std::min(leading_.size(), max_tokens_));
    history_ = std::move(initial_prompt);
    return;
  }
  // The end of a long prompt counts, as it is nearest to the text.
  const auto kept = std::min(initial_prompt.size(), max_tokens_);
  leading_.resize(std::min(leading_.size(), max_tokens_ - kept));
  leading_.insert(leading_.end(), initial_prompt.end() - static_cast<long>(kept),
                  initial_prompt.end());
}

void PromptHistory::add(const std::vector<int>& tokens) {
  history_.insert(history_.end(), tokens.begin(), tokens.end());
  if (history_.size() > max_tokens_) {
    history_.erase(history_.begin(), history_.end() - static_cast<long>(max_tokens_));
  }
}

std::vector<int> PromptHistory::prompt() const {
  std::vector<int> tokens = leading_;
  const auto kept = std::min(history_.size(), max_tokens_ - leading_.size());
  tokens.insert(tokens.end(), history_.end() - static_cast<long>(kept), history_.end());
  return tokens;
}

}  // namespace engine
