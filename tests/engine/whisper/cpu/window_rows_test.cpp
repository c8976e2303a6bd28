#include "engine/whisper/cpu/window_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace engine::cpu {
namespace {

constexpr int positions = 1500;

// Returns how many positions each merged row stands for.
std::vector<int> counts(const WindowRows& rows) {
  std::vector<int> found;
  for (const float value : rows.bias().values) {
    found.push_back(static_cast<int>(std::lround(std::exp(value))));
  }
  return found;
}

TEST(WindowRows, AFullWindowHasARowForEachPosition) {
  const WindowRows rows(positions);
  EXPECT_TRUE(rows.is_full());
  EXPECT_EQ(rows.count(), positions);
  EXPECT_EQ(rows.position(1499), 1499);
  EXPECT_TRUE(rows.bias().values.empty());
}

TEST(WindowRows, AShortOneHasTheAudioASecondAndFewPositionsOfTheRest) {
  const WindowRows rows(positions, 500);  // 5 s
  EXPECT_FALSE(rows.is_full());
  EXPECT_EQ(rows.single(), 300);
  EXPECT_EQ(rows.count(), 300 + 50 + 63);
  EXPECT_EQ(rows.position(299), 299);
  EXPECT_EQ(rows.position(300), 302) << "every 4th";
  EXPECT_EQ(rows.position(349), 302 + 49 * 4);
  EXPECT_EQ(rows.position(350), 508) << "every 16th";
  EXPECT_EQ(rows.position(411), 508 + 61 * 16);
  EXPECT_EQ(rows.position(412), 1496) << "8 are left";
  EXPECT_EQ(rows.bias().first, 300);
}

TEST(WindowRows, StandForAllPositions) {
  for (int frames = 0; frames <= 2 * positions; ++frames) {
    const WindowRows rows(positions, frames);
    const std::vector<int> merged = counts(rows);
    EXPECT_EQ(std::accumulate(merged.begin(), merged.end(), rows.single()), positions) << frames;
    EXPECT_EQ(static_cast<int>(merged.size()), rows.count() - rows.single());
    for (int row = 0; row < rows.count(); ++row) {
      const int expected =
          row < rows.single() ? 1 : merged[static_cast<std::size_t>(row - rows.single())];
      ASSERT_EQ(rows.represented(row), expected) << frames;
    }
    for (const int count : merged) EXPECT_TRUE(count >= 2 && count <= 23) << frames;
    EXPECT_LT(rows.position(rows.count() - 1), positions) << frames;
    const int least = std::min(frames + 100, 2 * positions);
    EXPECT_GE(2 * rows.single(), least) << "a second after the audio";
  }
}

TEST(WindowRows, AreAllWhereLittleIsLeftToMerge) {
  EXPECT_FALSE(WindowRows(positions, 2868).is_full());
  EXPECT_TRUE(WindowRows(positions, 2869).is_full());
  EXPECT_TRUE(WindowRows(positions, 3000).is_full());
}

TEST(WindowRows, SpreadWeightsOverTheirPositions) {
  const WindowRows rows(positions, 2466);  // 1283 positions, 50 for 4, one for 17
  ASSERT_EQ(rows.count(), 1334);
  std::vector<float> weights(positions, -1);
  std::iota(weights.begin(), weights.begin() + rows.count(), 0.0F);
  rows.spread(weights.data());
  EXPECT_EQ(weights[1282], 1282);
  EXPECT_EQ(weights[1283], 1283.0F / 4);
  EXPECT_EQ(weights[1286], 1283.0F / 4);
  EXPECT_EQ(weights[1482], 1332.0F / 4);
  EXPECT_EQ(weights[1483], 1333.0F / 17);
  EXPECT_EQ(weights[1499], 1333.0F / 17);
}

}  // namespace
}  // namespace engine::cpu
