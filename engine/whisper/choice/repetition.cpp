#include "engine/whisper/choice/repetition.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace engine {
namespace {

constexpr std::size_t longest_period = 30;

// Returns how many tokens at the end repeat the one `period` tokens before them, the first cycle
// included.
std::size_t cycling(std::span<const int> text, std::size_t period) {
  std::size_t covered = period;
  while (covered < text.size() &&
         text[text.size() - 1 - covered] == text[text.size() - 1 - covered + period]) {
    ++covered;
  }
  return covered;
}

bool ends_in_cycles(std::span<const int> text, std::size_t cycles, std::size_t tokens) {
  if (text.size() < tokens) return false;
  for (std::size_t period = 1; period <= longest_period; ++period) {
    const std::size_t wanted = std::max(cycles * period, tokens);
    if (wanted <= text.size() && cycling(text, period) >= wanted) return true;
  }
  return false;
}

}  // namespace

std::vector<int> text_tokens(std::span<const int> sampled, const SpecialTokens& specials) {
  std::vector<int> text;
  std::ranges::copy_if(sampled, std::back_inserter(text),
                       [&](int token) { return specials.is_text(token); });
  return text;
}

void penalize_repetition(std::span<float> logits, std::span<const int> text, double penalty) {
  for (const int token : std::set<int>(text.begin(), text.end())) {
    float& logit = logits[static_cast<std::size_t>(token)];
    logit = static_cast<float>(logit > 0 ? logit / penalty : logit * penalty);
  }
}

void forbid_repeated_ngrams(std::span<float> logits, std::span<const int> text, int size) {
  const auto n_before = static_cast<std::size_t>(size) - 1;
  if (text.size() <= n_before) return;
  const auto last = text.last(n_before);
  for (std::size_t begin = 0; begin + n_before < text.size(); ++begin) {
    if (!std::ranges::equal(text.subspan(begin, n_before), last)) continue;
    logits[static_cast<std::size_t>(text[begin + n_before])] =
        -std::numeric_limits<float>::infinity();
  }
}

bool ends_in_loop(std::span<const int> text) {
  return ends_in_cycles(text, 3, 32);
}

bool is_caught_in_loop(std::span<const int> text) {
  return ends_in_cycles(text, 6, 64);
}

}  // namespace engine
