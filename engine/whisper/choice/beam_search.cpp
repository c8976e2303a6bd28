#include <algorithm>
#include <functional>

#include "engine/whisper/choice/token_chooser.h"

namespace engine {
namespace {

class BeamSearch : public TokenChooser {
 public:
  BeamSearch(int beam_size, int eot) : beam_size_(beam_size), eot_(eot), sum_logprobs_{0.0F} {}

  void choose(const at::Tensor& logits, StepOutcome& outcome) override {
    for (const ChosenToken& candidate : candidates(at::log_softmax(logits, -1))) {
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
  std::vector<ChosenToken> candidates(const at::Tensor& logprobs) const {
    const auto [values, tokens] = logprobs.topk(beam_size_ + 1, -1);
    const auto value = values.accessor<float, 2>();
    const auto token = tokens.accessor<std::int64_t, 2>();
    std::vector<ChosenToken> all;
    for (std::size_t row = 0; row < sum_logprobs_.size(); ++row) {
      const auto r = static_cast<std::int64_t>(row);
      for (std::int64_t i = 0; i < values.size(1); ++i) {
        all.push_back({static_cast<int>(row), static_cast<int>(token[r][i]), value[r][i],
                       sum_logprobs_[row] + value[r][i]});
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
