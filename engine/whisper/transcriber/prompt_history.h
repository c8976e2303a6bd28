#pragma once

#include <cstddef>
#include <vector>

namespace engine {

// Keeps the tokens that are given to the next window as the text before it. openai/whisper
// transcribe.py: `all_tokens`, `prompt_reset_since`, `carry_initial_prompt`.
class PromptHistory {
 public:
  // The decoder takes `max_tokens` of a prompt (n_text_ctx / 2 - 1). Hotwords lead every prompt; so
  // does the initial prompt where it is carried, else it is the oldest history.
  PromptHistory(std::vector<int> hotwords, std::vector<int> initial_prompt, bool carry,
                std::size_t max_tokens);

  void add(const std::vector<int>& tokens);
  // Forgets what was added, after a window whose text should not be relied on.
  void reset() { history_.clear(); }

  // Returns at most max_tokens: the leading part, then the latest of the history.
  std::vector<int> prompt() const;

 private:
  std::vector<int> leading_;
  std::vector<int> history_;
  std::size_t max_tokens_;
};

}  // namespace engine
