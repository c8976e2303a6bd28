#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <utility>

#include "engine/whisper/decoding/token_decoder.h"

namespace engine {
namespace {

class Greedy : public TokenDecoder {
 public:
  Greedy(int n_rows, double temperature, int eot, std::uint64_t seed)
      : TokenDecoder(n_rows),
        temperature_(temperature),
        eot_(eot),
        generator_(at::make_generator<at::CPUGeneratorImpl>(seed)),
        sum_logprobs_(sampled_.size(), 0.0F),
        logprobs_(sampled_.size()) {}

  bool update(const at::Tensor& logits) override {
    const at::Tensor next =
        temperature_ == 0
            ? logits.argmax(-1)
            : at::multinomial(at::softmax(logits / temperature_, -1), 1, false, generator_)
                  .squeeze(-1);
    const at::Tensor chosen =
        at::log_softmax(logits, -1).gather(1, next.unsqueeze(-1)).squeeze(-1).contiguous();
    const std::int64_t* tokens = next.const_data_ptr<std::int64_t>();
    const float* logprobs = chosen.const_data_ptr<float>();
    bool completed = true;
    for (std::size_t row = 0; row < sampled_.size(); ++row) {
      // A row that has ended keeps its eot, so that all rows stay equally long.
      const bool ended = !sampled_[row].empty() && sampled_[row].back() == eot_;
      if (!ended) {
        sum_logprobs_[row] += logprobs[row];
        logprobs_[row].push_back(logprobs[row]);
      }
      sampled_[row].push_back(ended ? eot_ : static_cast<int>(tokens[row]));
      completed &= sampled_[row].back() == eot_;
    }
    return completed;
  }

  std::vector<Hypothesis> finalize() override {
    std::vector<Hypothesis> hypotheses;
    for (std::size_t row = 0; row < sampled_.size(); ++row) {
      const auto end = std::find(sampled_[row].begin(), sampled_[row].end(), eot_);
      Hypothesis hypothesis{{sampled_[row].begin(), end}, sum_logprobs_[row], logprobs_[row]};
      hypothesis.logprobs.resize(hypothesis.tokens.size());  // without that of eot
      hypotheses.push_back(std::move(hypothesis));
    }
    return hypotheses;
  }

 private:
  double temperature_;
  int eot_;
  at::Generator generator_;
  std::vector<float> sum_logprobs_;           // float32, as the reference adds them
  std::vector<std::vector<float>> logprobs_;  // of the tokens, by row
};

}  // namespace

std::unique_ptr<TokenDecoder> make_greedy(int n_rows, double temperature, int eot,
                                          std::uint64_t seed) {
  return std::make_unique<Greedy>(n_rows, temperature, eot, seed);
}

}  // namespace engine
