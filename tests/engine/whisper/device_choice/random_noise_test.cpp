#include "engine/whisper/device_choice/random_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "engine/whisper/choice/noise_keys.h"

namespace engine {
namespace {

// Returns the noise of so many rows, each with a key of its own.
at::Tensor noise_of(std::int64_t n_rows, std::int64_t columns, std::int64_t counter = 3,
                    std::uint64_t seed = 11) {
  at::Tensor keys = at::empty({2, n_rows}, at::kLong);
  for (std::int64_t row = 0; row < n_rows; ++row) {
    const auto [key, other] = noise_keys(seed, static_cast<int>(row));
    keys[0][row] = std::int64_t{key};
    keys[1][row] = std::int64_t{other};
  }
  return gumbel_noise(keys, at::full({n_rows}, counter, at::kLong), columns);
}

TEST(GumbelNoise, HasTheMomentsOfItsDistribution) {
  for (const at::Tensor& noise : {noise_of(1, 400'000), noise_of(4000, 100)}) {
    EXPECT_NEAR(noise.mean().item<double>(), 0.57722, 0.01);
    EXPECT_NEAR(noise.var().item<double>(), 1.64493, 0.03);
    EXPECT_TRUE(at::isfinite(noise).all().item<bool>());
  }
}

// Four standard deviations of the count of a draw.
TEST(GumbelNoise, DrawsEachTokenAsOftenAsItsProbabilitySays) {
  constexpr std::int64_t draws = 20'000;
  const at::Tensor probabilities = at::tensor(std::vector<float>{.5F, .3F, .15F, .04F, .01F});
  const at::Tensor drawn = (probabilities.log() + noise_of(draws, 5)).argmax(-1);
  for (std::int64_t token = 0; token < 5; ++token) {
    const double p = probabilities[token].item<double>();
    const double count = (drawn == token).sum().item<double>();
    EXPECT_NEAR(count, p * draws, 4 * std::sqrt(draws * p * (1 - p))) << token;
  }
}

TEST(GumbelNoise, IsItsOwnForEachSeedRowStepAndColumn) {
  const at::Tensor noise = noise_of(2, 1000);
  EXPECT_TRUE(at::equal(noise_of(2, 1000), noise));
  EXPECT_TRUE(at::equal(noise_of(1, 1000)[0], noise[0])) << "whatever is drawn beside it";
  const auto correlation = [](const at::Tensor& a, const at::Tensor& b) {
    return at::corrcoef(at::stack({a, b}))[0][1].item<double>();
  };
  EXPECT_NEAR(correlation(noise[0], noise[1]), 0, 0.13);
  EXPECT_NEAR(correlation(noise[0], noise_of(1, 1000, 4)[0]), 0, 0.13);
  EXPECT_NEAR(correlation(noise[0], noise_of(1, 1000, 3, 12)[0]), 0, 0.13);
  EXPECT_NEAR(correlation(noise[0].narrow(0, 0, 999), noise[0].narrow(0, 1, 999)), 0, 0.13);
}

}  // namespace
}  // namespace engine
