#include "engine/whisper/choice/row_sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace engine {
namespace {

const std::vector<float>& equal_logits() {
  static const std::vector<float> logits(51865);
  return logits;
}

std::vector<int> drawn(const RowSampler& sampler, int first_position = 3) {
  std::vector<int> tokens;
  for (int i = 0; i < 8; ++i) tokens.push_back(sampler.draw(equal_logits(), first_position + i));
  return tokens;
}

TEST(RowSampler, DrawsTheSameAgainAndOthersForEachSeedRowAndPosition) {
  const auto tokens = drawn({11, 0, 1});
  EXPECT_EQ(drawn({11, 0, 1}), tokens);
  EXPECT_EQ(std::set<int>(tokens.begin(), tokens.end()).size(), tokens.size());
  EXPECT_NE(drawn({12, 0, 1}), tokens);
  EXPECT_NE(drawn({11, 1, 1}), tokens);
  EXPECT_NE(drawn({11, 0, 1}, 4), tokens);
}

// Four standard deviations of the count of a draw.
TEST(RowSampler, DrawsEachTokenAsOftenAsItsProbabilitySays) {
  constexpr int draws = 20'000;
  constexpr std::array probabilities{.5, .3, .15, .04, .01};
  for (const double temperature : {1.0, 0.4}) {
    std::vector<float> logits;
    for (const double p : probabilities) {
      logits.push_back(static_cast<float>(temperature * std::log(p) + 5));
    }
    const RowSampler sampler(3, 0, temperature);
    std::array<int, 5> counts{};
    for (int i = 0; i < draws; ++i) ++counts[static_cast<std::size_t>(sampler.draw(logits, i))];
    for (std::size_t token = 0; token < counts.size(); ++token) {
      const double p = probabilities[token];
      EXPECT_NEAR(counts[token], p * draws, 4 * std::sqrt(draws * p * (1 - p))) << token;
    }
  }
}

TEST(RowSampler, NeverDrawsWhatIsForbidden) {
  std::vector<float> logits(100, -INFINITY);
  logits[40] = -3;
  logits[41] = -3;
  const RowSampler sampler(1, 0, 1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(sampler.draw(logits, i) / 2, 20);
}

}  // namespace
}  // namespace engine
