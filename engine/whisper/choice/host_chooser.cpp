#include "engine/whisper/choice/host_chooser.h"

#include <cmath>
#include <cstddef>
#include <new>

namespace engine {

HostChooser::HostChooser(const ChoiceOptions& options, const SpecialTokens& specials)
    : filters_(options, specials),
      chooser_(options.beam_search ? make_beam_search(options.n_rows, specials.eot)
                                   : make_greedy(options, specials.eot)),
      beam_search_(options.beam_search),
      no_speech_(specials.no_speech),
      sampled_(static_cast<std::size_t>(options.n_rows)) {}

StepOutcome HostChooser::choose_first(std::span<const float> after_sot,
                                      std::span<const float> after_last, int position) {
  position_ = position;
  std::vector<float> rows;
  rows.reserve(after_last.size() * sampled_.size());
  for (int row = 0; row < n_rows(); ++row) {
    rows.insert(rows.end(), after_last.begin(), after_last.end());
  }
  StepOutcome outcome = choose({rows.data(), n_rows(), static_cast<int>(after_last.size())});
  const float no_speech = after_sot[static_cast<std::size_t>(no_speech_)];
  outcome.no_speech_prob = std::exp(log_softmax(after_sot)(no_speech));
  return outcome;
}

StepOutcome HostChooser::choose(const LogitRows& logits) {
  try {
    return choose_and_keep(logits);
  } catch (const std::bad_alloc&) {
    return {.out_of_memory = true};
  }
}

StepOutcome HostChooser::choose_and_keep(const LogitRows& logits) {
  StepOutcome outcome;
  for (int row = 0; row < logits.n_rows; ++row) outcome.finite &= are_finite(logits[row]);
  if (!outcome.finite) return outcome;
  filters_.apply(logits, sampled_);
  chooser_->choose(logits, position_++, outcome);
  keep(outcome);
  return outcome;
}

void HostChooser::keep(const StepOutcome& outcome) {
  if (beam_search_) {
    source_rows_.clear();
    std::vector<std::vector<int>> before = sampled_;
    for (std::size_t row = 0; row < sampled_.size(); ++row) {
      source_rows_.push_back(outcome.rows[row].source);
      sampled_[row] = before[static_cast<std::size_t>(outcome.rows[row].source)];
    }
  }
  for (std::size_t row = 0; row < sampled_.size(); ++row) {
    sampled_[row].push_back(outcome.rows[row].token);
  }
}

std::vector<int> HostChooser::next_tokens() const {
  std::vector<int> tokens;
  for (const auto& row : sampled_) tokens.push_back(row.back());
  return tokens;
}

}  // namespace engine
