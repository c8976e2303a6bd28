#include "engine/speakers/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace engine {
namespace {

using Assigned = std::array<int, voices_per_window>;

double worth(std::span<const float> common, int speakers, const Assigned& assigned) {
  double sum = 0;
  for (std::size_t voice = 0; voice < assigned.size(); ++voice) {
    if (assigned[voice] < 0) continue;
    sum += common[voice * static_cast<std::size_t>(speakers) +
                  static_cast<std::size_t>(assigned[voice])];
  }
  return sum;
}

// Returns the best sum that any order of the speakers gives.
double best_of_all(std::span<const float> common, int speakers) {
  std::vector<int> order(static_cast<std::size_t>(std::max(speakers, voices_per_window)));
  std::iota(order.begin(), order.end(), 0);
  double best = 0;
  do {
    Assigned assigned{};
    for (std::size_t i = 0; i < assigned.size(); ++i) {
      assigned[i] = order[i] < speakers ? order[i] : -1;
    }
    best = std::max(best, worth(common, speakers, assigned));
  } while (std::ranges::next_permutation(order).found);
  return best;
}

TEST(Assignment, GivesEachVoiceAnotherSpeaker) {
  // The first voice would take the speaker whom the second needs more.
  EXPECT_EQ(assign(std::vector<float>{5, 4, 5, 0, 0, 0}, 2), (Assigned{1, 0, -1}));
}

TEST(Assignment, LeavesOutAVoiceThatHasNothingInCommonWithAnyone) {
  EXPECT_EQ(assign(std::vector<float>{0, 0, 0, 7, 0, 0}, 2), (Assigned{-1, 1, -1}));
  EXPECT_EQ(assign(std::vector<float>{0, 0, 0}, 1), (Assigned{-1, -1, -1}));
}

TEST(Assignment, IsTheBestOfAllPermutations) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> frames(0, 20);
  for (int speakers = 1; speakers <= 6; ++speakers) {
    for (int round = 0; round < 50; ++round) {
      std::vector<float> common(static_cast<std::size_t>(voices_per_window * speakers));
      for (float& x : common) x = static_cast<float>(frames(random));
      const Assigned assigned = assign(common, speakers);
      ASSERT_EQ(worth(common, speakers, assigned), best_of_all(common, speakers));
    }
  }
}

}  // namespace
}  // namespace engine
