#include "engine/whisper/torch_model/prompt_batch.h"

#include <algorithm>
#include <bit>
#include <map>

namespace engine {
namespace {

constexpr std::size_t shortest_prompt = 8;

std::size_t rounded_prompt(std::size_t length) {
  return std::bit_ceil(std::max(length, shortest_prompt));
}

// Appends the numbers and repeats the first one in the places that are left over.
void append_places(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& numbers,
                   int places) {
  to.insert(to.end(), numbers.begin(), numbers.end());
  const std::size_t left = static_cast<std::size_t>(places) - numbers.size();
  if (left > 0) to.insert(to.end(), left, numbers[0]);
}

}  // namespace

void PromptBatch::add(const Prompt& prompt, std::span<const int> slots, int window) {
  prompts_.push_back({prompt.tokens, prompt.sot_index, slots[0], window, slots.size()});
  for (const int slot : slots.subspan(1)) {
    from_.push_back(slots[0]);
    to_.push_back(slot);
  }
}

StepShape PromptBatch::shape(const ChoiceShape& choice) const {
  std::size_t longest = 0;
  for (const Place& prompt : prompts_) longest = std::max(longest, prompt.tokens.size());
  return {.kind = StepKind::prompts,
          .rows = from_.empty() ? 0 : static_cast<int>(std::bit_ceil(from_.size())),
          .windows = static_cast<int>(std::bit_ceil(prompts_.size())),
          .length = std::min(static_cast<int>(rounded_prompt(longest)), n_text_ctx_),
          .choice = choice};
}

std::vector<std::int64_t> PromptBatch::numbers(const StepShape& shape) const {
  const auto length = static_cast<std::size_t>(shape.length);
  const auto places = static_cast<std::size_t>(shape.windows);
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> slots, windows, sots, lasts;
  for (std::size_t i = 0; i < places; ++i) {
    const auto& tokens = prompts_[i < prompts_.size() ? i : 0].tokens;
    numbers.insert(numbers.end(), tokens.begin(), tokens.end());
    numbers.resize((i + 1) * length);
  }
  std::int64_t begin = 0;
  for (const Place& prompt : prompts_) {
    slots.push_back(prompt.slot);
    windows.push_back(prompt.window);
    sots.push_back(begin + prompt.sot);
    lasts.insert(lasts.end(), prompt.rows, begin + std::ssize(prompt.tokens) - 1);
    begin += shape.length;
  }
  append_places(numbers, slots, shape.windows);
  append_places(numbers, windows, shape.windows);
  append_places(numbers, sots, shape.windows);
  append_places(numbers, lasts, shape.choice.rows);
  append_places(numbers, from_, shape.rows);
  append_places(numbers, to_, shape.rows);
  return numbers;
}

std::int64_t PromptBatch::count_numbers(const StepShape& shape) {
  return std::int64_t{shape.windows} * (shape.length + 3) + shape.choice.rows + 2 * shape.rows;
}

std::int64_t PromptBatch::most_numbers(int prompts, int rows, int n_text_ctx) {
  const auto up = [](int count) {
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
  };
  return count_numbers({.rows = up(rows),
                        .windows = up(prompts),
                        .length = n_text_ctx,
                        .choice = {.rows = up(rows)}});
}

std::vector<std::vector<std::size_t>> prompt_groups(std::span<const Prompt> prompts, int most) {
  std::map<std::size_t, std::vector<std::size_t>> by_length;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    by_length[rounded_prompt(prompts[i].tokens.size())].push_back(i);
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
