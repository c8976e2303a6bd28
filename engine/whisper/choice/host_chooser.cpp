#include "engine/whisper/choice/host_chooser.h"

#include <cmath>
#include <utility>

namespace engine {
namespace {

// A sum is finite only if every term is; unlike isfinite() it makes no tensor of flags.
bool is_finite(const at::Tensor& logits) {
  return std::isfinite(logits.sum().item<float>());
}

}  // namespace

HostChooser::HostChooser(const ChoiceOptions& options, const SpecialTokens& specials)
    : filters_(options, specials),
      chooser_(options.beam_search ? make_beam_search(options.n_rows, specials.eot)
                                   : make_greedy(options, specials.eot)),
      beam_search_(options.beam_search),
      no_speech_(specials.no_speech),
      sampled_(static_cast<std::size_t>(options.n_rows)) {}

StepOutcome HostChooser::choose_first(const at::Tensor& after_sot, const at::Tensor& after_last) {
  StepOutcome outcome = choose(after_last.expand({n_rows(), -1}).clone());
  outcome.no_speech_prob = at::softmax(after_sot, -1)[no_speech_].item<float>();
  return outcome;
}

StepOutcome HostChooser::choose(at::Tensor logits) {
  StepOutcome outcome;
  outcome.finite = is_finite(logits);
  if (!outcome.finite) return outcome;
  filters_.apply(logits, sampled_);
  chooser_->choose(logits, outcome);
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
