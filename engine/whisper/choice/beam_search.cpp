#include <algorithm>
#include <functional>
#include <vector>

#include "engine/whisper/choice/token_chooser.h"

namespace engine {
namespace {

class BeamSearch : public TokenChooser {
 public:
  BeamSearch(int beam_size, int eot) : beam_size_(beam_size), eot_(eot), sum_logprobs_{0.0F} {}

  void choose(const LogitRows& logits, int, StepOutcome& outcome) override {
    for (const ChosenToken& candidate : candidates(logits)) {
      if (std::ssize(outcome.rows) == beam_size_) break;
      if (candidate.token == eot_) {
        outcome.ended.push_back({candidate.source, candidate.sum_logprob});
      } else {
        outcome.rows.push_back(candidate);
      }
    }
    sum_logprobs_.clear();
    for (const ChosenToken& row : outcome.rows) sum_logprobs_.push_back(row.sum_logprob);
  }

 private:
  // Returns beam_size + 1 continuations of every row, best first: so many that beam_size remain
  // even if one of each row ends. At first the rows are the same, so one of them stands for all.
  std::vector<ChosenToken> candidates(const LogitRows& logits) const {
    std::vector<ChosenToken> all;
    for (std::size_t row = 0; row < sum_logprobs_.size(); ++row) {
      const auto of_row = logits[static_cast<int>(row)];
      const LogSoftmax logprob_of = log_softmax(of_row);
      for (const int token : likeliest(of_row, beam_size_ + 1)) {
        const float logprob = logprob_of(of_row[static_cast<std::size_t>(token)]);
        all.push_back({static_cast<int>(row), token, logprob, sum_logprobs_[row] + logprob});
      }
    }
    std::ranges::stable_sort(all, std::greater{}, &ChosenToken::sum_logprob);
    return all;
  }

  int beam_size_;
  int eot_;
  // Float32, as the reference adds them; of the rows that differ, which is one at first.
  std::vector<float> sum_logprobs_;
};

}  // namespace

std::unique_ptr<TokenChooser> make_beam_search(int beam_size, int eot) {
  return std::make_unique<BeamSearch>(beam_size, eot);
}

}  // namespace engine
