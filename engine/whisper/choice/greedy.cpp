#include <vector>

#include "engine/whisper/choice/row_sampler.h"
#include "engine/whisper/choice/token_chooser.h"

namespace engine {
namespace {

class Greedy : public TokenChooser {
 public:
  Greedy(const ChoiceOptions& options, int eot)
      : eot_(eot), rows_(static_cast<std::size_t>(options.n_rows)) {
    for (int row = 0; row < options.n_rows; ++row) {
      rows_[static_cast<std::size_t>(row)].source = row;
      if (static_cast<float>(options.temperature) > 0)
        samplers_.emplace_back(options.seed, row, options.temperature);
    }
  }

  void choose(const LogitRows& logits, int position, StepOutcome& outcome) override {
    for (ChosenToken& row : rows_) {
      // A row that has ended keeps its eot, so that all rows stay equally long.
      if (row.token == eot_) {
        row.logprob = 0;
        continue;
      }
      const auto of_row = logits[row.source];
      row.token = samplers_.empty()
                      ? likeliest(of_row)
                      : samplers_[static_cast<std::size_t>(row.source)].draw(of_row, position);
      row.logprob = log_softmax(of_row)(of_row[static_cast<std::size_t>(row.token)]);
      row.sum_logprob += row.logprob;
    }
    outcome.rows = rows_;
  }

 private:
  int eot_;
  std::vector<RowSampler> samplers_;  // by row; none at temperature 0
  std::vector<ChosenToken> rows_;     // as they were chosen last
};

}  // namespace

std::unique_ptr<TokenChooser> make_greedy(const ChoiceOptions& options, int eot) {
  return std::make_unique<Greedy>(options, eot);
}

}  // namespace engine
