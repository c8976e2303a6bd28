#include "engine/kernels/attention/key_bias.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine::kernels {
namespace {

constexpr int all_keys = 40;
constexpr std::ptrdiff_t stride_of_scores = 44;

// Two rows of scores of the keys [begin, begin + keys), and what a bias makes of them.
std::vector<float> biased(const KeyBias& bias, int begin, int keys) {
  std::vector<float> scores(2 * stride_of_scores, 1.0F);
  add_bias(bias, begin, keys, 2, scores.data(), stride_of_scores);
  return scores;
}

TEST(KeyBias, IsAddedToEachRowOfTheKeysThatHaveOne) {
  std::vector<float> values;
  for (int i = 0; i < 10; ++i) values.push_back(static_cast<float>(100 + i));
  for (const int first : {0, 7, 29, 30}) {
    const KeyBias bias{first, values};
    for (int begin = 0; begin < all_keys; ++begin) {
      for (int keys = 1; begin + keys <= all_keys; ++keys) {
        const std::vector<float> scores = biased(bias, begin, keys);
        for (int at = 0; at < 2 * stride_of_scores; ++at) {
          const int column = at % static_cast<int>(stride_of_scores);
          const int key = begin + column;
          const bool has_one = column < keys && key >= first && key < first + 10;
          const float added = has_one ? values[static_cast<std::size_t>(key - first)] : 0.0F;
          ASSERT_EQ(scores[static_cast<std::size_t>(at)], 1.0F + added)
              << first << ' ' << begin << ' ' << keys << ' ' << at;
        }
      }
    }
  }
}

TEST(KeyBias, NoneLeavesTheScores) {
  EXPECT_EQ(biased({}, 0, all_keys), std::vector<float>(2 * stride_of_scores, 1.0F));
}

}  // namespace
}  // namespace engine::kernels
