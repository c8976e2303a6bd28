#include "engine/whisper/words/dtw.h"

#include <gtest/gtest.h>

#include <limits>

namespace engine {
namespace {

struct PathCase {
  const char* what;
  int rows;
  int columns;
  std::vector<float> costs;
  std::vector<PathStep> path;
};

// The paths through several rows and columns are those of openai-whisper 20250625.
TEST(Dtw, FindsTheCheapestWay) {
  const PathCase cases[] = {
      {"no cells", 0, 5, {}, {}},
      {"no columns", 3, 0, {}, {}},
      {"one cell", 1, 1, {7}, {{0, 0}}},
      {"one row goes right", 1, 3, {1, 2, 3}, {{0, 0}, {0, 1}, {0, 2}}},
      {"one column goes down", 3, 1, {1, 2, 3}, {{0, 0}, {1, 0}, {2, 0}}},
      {"a cheap way",
       4,
       9,
       {3,  6, -9, 6, -1, 0,  2,  -4, 9,  -8, -4, -2, 1, -2, -7, -9, -9, -9,
        -7, 9, -6, 3, 5,  -5, -4, -1, -4, 9,  -6, 8,  6, 7,  -7, -2, 2,  0},
       {{0, 0},
        {1, 0},
        {1, 1},
        {1, 2},
        {1, 3},
        {1, 4},
        {1, 5},
        {1, 6},
        {1, 7},
        {1, 8},
        {2, 8},
        {3, 8}}},
      {"ties between all kinds of steps",
       5,
       7,
       {1, 2, 1, 0, 2, 1, 2, 0, 1, 2, 0, 0, 1, 2, 0, 2, 1, 0,
        1, 2, 2, 2, 0, 0, 2, 2, 2, 0, 0, 1, 1, 1, 2, 0, 1},
       {{0, 0}, {1, 0}, {2, 0}, {3, 1}, {3, 2}, {4, 3}, {4, 4}, {4, 5}, {4, 6}}},
      {"where all is equal, down comes first and right last",
       3,
       5,
       std::vector<float>(15, 0),
       {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}}},
  };
  for (const PathCase& c : cases) EXPECT_EQ(dtw(c.costs, c.rows, c.columns), c.path) << c.what;
}

TEST(Dtw, SumsInDoublePrecision) {
  // In single precision, 2^24 + 1 + 1 would be 2^24, and the ways equally dear.
  const std::vector<float> costs{16777216, 1, 1, 1, 1.5F, 1};
  EXPECT_EQ(dtw(costs, 2, 3), (std::vector<PathStep>{{0, 0}, {0, 1}, {1, 2}}));
}

TEST(Dtw, StaysInsideWhateverTheCosts) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<PathStep> path = dtw(std::vector<float>(12, nan), 3, 4);
  EXPECT_EQ(path.front(), (PathStep{0, 0}));
  EXPECT_EQ(path.back(), (PathStep{2, 3}));
}

}  // namespace
}  // namespace engine
