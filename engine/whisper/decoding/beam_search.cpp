#include <algorithm>
#include <cmath>

#include "engine/whisper/decoding/token_decoder.h"

namespace engine {
namespace {

class BeamSearch : public TokenDecoder {
 public:
  BeamSearch(int beam_size, double patience, int eot)
      : TokenDecoder(beam_size),
        eot_(eot),
        max_candidates_(
            static_cast<std::size_t>(std::max(1.0, std::nearbyint(beam_size * patience)))),
        sum_logprobs_(sampled_.size(), 0.0F),
        logprobs_(sampled_.size()) {}

  bool update(const at::Tensor& logits) override {
    keep_best(candidates(at::log_softmax(logits, -1)));
    return finished_.size() >= max_candidates_;
  }

  std::vector<Hypothesis> finalize() override {
    std::vector<std::size_t> rows(sampled_.size());
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = row;
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return sum_logprobs_[a] > sum_logprobs_[b];
    });
    for (const std::size_t row : rows) {
      if (finished_.size() >= sampled_.size()) break;
      finished_.push_back({sampled_[row], sum_logprobs_[row], logprobs_[row]});
    }
    return finished_;
  }

 private:
  struct Candidate {
    std::size_t source = 0;
    int token = 0;
    float sum_logprob = 0;
    float logprob = 0;  // of the token alone
  };

  // Returns beam_size + 1 continuations of every row, best first: so many that beam_size remain
  // even if one of each row ends. While the rows are still the same, so are their candidates.
  std::vector<Candidate> candidates(const at::Tensor& logprobs) const {
    const auto [values, tokens] = logprobs.topk(static_cast<std::int64_t>(sampled_.size()) + 1, -1);
    const auto value = values.accessor<float, 2>();
    const auto token = tokens.accessor<std::int64_t, 2>();
    std::vector<Candidate> all;
    for (std::size_t row = 0; row < sampled_.size(); ++row) {
      const auto first_equal = std::find(sampled_.begin(), sampled_.end(), sampled_[row]);
      if (first_equal != sampled_.begin() + static_cast<long>(row)) continue;
      for (std::int64_t i = 0; i < values.size(1); ++i) {
        const auto r = static_cast<std::int64_t>(row);
        all.push_back(
            {row, static_cast<int>(token[r][i]), sum_logprobs_[row] + value[r][i], value[r][i]});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return a.sum_logprob > b.sum_logprob;
    });
    return all;
  }

  void keep_best(const std::vector<Candidate>& candidates) {
    std::vector<std::vector<int>> sampled;
    std::vector<float> sum_logprobs;
    std::vector<std::vector<float>> logprobs;
    source_rows_.clear();
    for (const Candidate& candidate : candidates) {
      if (sampled.size() == sampled_.size()) break;
      if (candidate.token == eot_) {
        if (finished_.size() < max_candidates_) {
          finished_.push_back(
              {sampled_[candidate.source], candidate.sum_logprob, logprobs_[candidate.source]});
        }
        continue;
      }
      sampled.push_back(sampled_[candidate.source]);
      sampled.back().push_back(candidate.token);
      sum_logprobs.push_back(candidate.sum_logprob);
      logprobs.push_back(logprobs_[candidate.source]);
      logprobs.back().push_back(candidate.logprob);
      source_rows_.push_back(static_cast<int>(candidate.source));
    }
    sampled_ = std::move(sampled);
    sum_logprobs_ = std::move(sum_logprobs);
    logprobs_ = std::move(logprobs);
  }

  int eot_;
  std::size_t max_candidates_;
  std::vector<float> sum_logprobs_;           // float32, as the reference adds them
  std::vector<std::vector<float>> logprobs_;  // of the tokens, by row
  std::vector<Hypothesis> finished_;
};

}  // namespace

std::unique_ptr<TokenDecoder> make_beam_search(int beam_size, double patience, int eot) {
  return std::make_unique<BeamSearch>(beam_size, patience, eot);
}

std::size_t rank(const std::vector<Hypothesis>& hypotheses, std::optional<double> length_penalty) {
  const auto score = [&](const Hypothesis& hypothesis) {
    const double length = std::max<double>(1, static_cast<double>(hypothesis.tokens.size()));
    return hypothesis.sum_logprob /
           (length_penalty ? std::pow((5 + length) / 6, *length_penalty) : length);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < hypotheses.size(); ++i) {
    if (score(hypotheses[i]) > score(hypotheses[best])) best = i;
  }
  return best;
}

}  // namespace engine
