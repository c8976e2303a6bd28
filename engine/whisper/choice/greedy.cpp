#include <ATen/CPUGeneratorImpl.h>

#include "engine/whisper/choice/token_chooser.h"

namespace engine {
namespace {

class Greedy : public TokenChooser {
 public:
  Greedy(const ChoiceOptions& options, int eot)
      : temperature_(options.temperature),
        eot_(eot),
        generator_(at::make_generator<at::CPUGeneratorImpl>(options.seed)),
        rows_(static_cast<std::size_t>(options.n_rows)) {
    for (std::size_t row = 0; row < rows_.size(); ++row) rows_[row].source = static_cast<int>(row);
  }

  void choose(const at::Tensor& logits, StepOutcome& outcome) override {
    const at::Tensor next =
        temperature_ == 0
            ? logits.argmax(-1)
            : at::multinomial(at::softmax(logits / temperature_, -1), 1, false, generator_)
                  .squeeze(-1);
    const at::Tensor chosen =
        at::log_softmax(logits, -1).gather(1, next.unsqueeze(-1)).squeeze(-1).contiguous();
    const std::int64_t* tokens = next.const_data_ptr<std::int64_t>();
    const float* logprobs = chosen.const_data_ptr<float>();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      ChosenToken& row = rows_[i];
      // A row that has ended keeps its eot, so that all rows stay equally long.
      const bool ended = row.token == eot_;
      row.token = ended ? eot_ : static_cast<int>(tokens[i]);
      row.logprob = ended ? 0 : logprobs[i];
      row.sum_logprob += row.logprob;
    }
    outcome.rows = rows_;
  }

 private:
  double temperature_;
  int eot_;
  at::Generator generator_;
  std::vector<ChosenToken> rows_;  // as they were chosen last
};

}  // namespace

std::unique_ptr<TokenChooser> make_greedy(const ChoiceOptions& options, int eot) {
  return std::make_unique<Greedy>(options, eot);
}

}  // namespace engine
