#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "engine/cuda_kernels/twin_kernels.h"
#include "tests/engine/whisper/device_choice/both_choosers.h"

// These tests are about the tokens that DeviceChooser draws at temperatures above 0.
namespace engine {
namespace {

using test::BothChoosers;
using test::n_tokens;
using test::random_logits;
using test::rules;

// Draws tokens for three rows of one seed, whatever else is drawn beside.
std::vector<int> drawn(std::uint64_t seed, bool beside_others, StepKernels* kernels = nullptr) {
  ChoiceOptions options = rules(3);
  options.temperature = 1;
  options.seed = seed;
  options.timestamps = false;
  std::vector<ChoiceOptions> all{options};
  if (beside_others) all = {rules(2, true), rules(), options};
  BothChoosers both(all, kernels);
  at::Tensor logits = at::zeros({both.n_rows(), n_tokens});
  both.begin(logits.narrow(0, 0, std::ssize(all)));
  std::vector<int> tokens;
  for (int i = 0; i < 4; ++i) {
    for (const ChosenToken& row : both.found.back().rows) tokens.push_back(row.token);
    both.step(logits);
  }
  return tokens;
}

TEST(DeviceSampling, TheSameSeedDrawsTheSameTokensAloneAndBesideOthers) {
  const auto tokens = drawn(7, false);
  EXPECT_EQ(drawn(7, false), tokens);
  EXPECT_EQ(drawn(7, true), tokens);
  const auto kernels = make_twin_kernels();
  EXPECT_EQ(drawn(7, false, kernels.get()), tokens) << "on fused kernels";
  EXPECT_EQ(drawn(7, true, kernels.get()), tokens) << "on fused kernels, beside others";
  EXPECT_NE(drawn(8, false), tokens);
  const std::set<int> different(tokens.begin(), tokens.end());
  EXPECT_EQ(different.size(), tokens.size()) << "rows and steps draw for themselves";
}

TEST(DeviceSampling, DrawsWhatTheHostDraws) {
  at::manual_seed(6);
  for (const double temperature : {0.2, 1.0, 2.5}) {
    ChoiceOptions hot = rules(3);
    hot.temperature = temperature;
    hot.seed = 12;
    BothChoosers both({hot, rules()});
    both.begin();
    for (int i = 0; i < 6; ++i) {
      for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_EQ(both.found[0].rows[row].token, both.expected[0].rows[row].token)
            << "at " << temperature << ", step " << i << ", row " << row;
      }
      both.step(random_logits(4));
    }
  }
}

TEST(DeviceSampling, ALowTemperatureStaysWithTheLikeliest) {
  at::manual_seed(5);
  ChoiceOptions cold = rules();
  cold.temperature = 1e-3;
  BothChoosers both({cold, rules()});
  both.begin();
  for (int i = 0; i < 5; ++i) {
    const at::Tensor one = random_logits(1);
    both.step(one.expand({2, -1}));
    EXPECT_EQ(both.found[0].rows[0].token, both.found[1].rows[0].token);
  }
}

TEST(DeviceSampling, TheLogprobOfASampleIsThatOfTheUnscaledLogits) {
  at::manual_seed(4);
  ChoiceOptions hot = rules();
  hot.temperature = 2;
  hot.timestamps = false;
  hot.suppress.clear();
  BothChoosers both({hot});
  both.begin();
  const at::Tensor logits = random_logits(1);
  both.step(logits);
  const ChosenToken row = both.found[0].rows[0];
  EXPECT_NEAR(row.logprob, at::log_softmax(logits, -1)[0][row.token].item<float>(), 1e-4);
}

}  // namespace
}  // namespace engine
