#include "protocol/cue_times.h"

#include <gtest/gtest.h>

#include <limits>

namespace protocol {
namespace {

std::vector<Cue> cues_at(std::vector<std::pair<double, double>> times) {
  std::vector<Cue> cues;
  for (const auto& [start, end] : times) cues.push_back({.start = start, .end = end, .text = "x"});
  give_time(cues);
  return cues;
}

void expect_times(const std::vector<Cue>& cues, std::vector<std::pair<double, double>> times) {
  ASSERT_EQ(cues.size(), times.size());
  for (std::size_t i = 0; i < cues.size(); ++i) {
    EXPECT_NEAR(cues[i].start, times[i].first, 1e-9) << i;
    EXPECT_NEAR(cues[i].end, times[i].second, 1e-9) << i;
  }
}

TEST(CueTimes, StayWhereEachCueHasALength) {
  expect_times(cues_at({{0, 1}, {0.5, 2}, {3, 3.001}}), {{0, 1}, {0.5, 2}, {3, 3.001}});
}

TEST(CueTimes, OfACueWithoutLengthGoOnIntoTheSilenceAfterIt) {
  expect_times(cues_at({{0, 1}, {1, 1}, {2, 3}}), {{0, 1}, {1, 1.1}, {2, 3}});
  expect_times(cues_at({{0, 1}, {1, 1}, {1.05, 3}}), {{0, 0.95}, {0.95, 1.05}, {1.05, 3}});
  expect_times(cues_at({{0, 1}, {1, 1}}), {{0, 1}, {1, 1.1}});
}

TEST(CueTimes, OfACueWithoutLengthAreTakenFromTheOneBefore) {
  expect_times(cues_at({{0, 1}, {1, 1}, {1, 2}}), {{0, 0.9}, {0.9, 1}, {1, 2}});
  expect_times(cues_at({{0.9, 1}, {1, 1}, {1, 2}}), {{0.9, 0.95}, {0.95, 1.05}, {1.05, 2}});
  expect_times(cues_at({{0, 0.5}, {1, 1}, {1, 2}}), {{0, 0.5}, {0.9, 1}, {1, 2}});
}

TEST(CueTimes, OfAFirstCueWithoutLengthAreTakenFromTheNext) {
  expect_times(cues_at({{1, 1}, {1, 2}}), {{1, 1.1}, {1.1, 2}});
}

TEST(CueTimes, OfSeveralCuesAtOneMomentHaveLengths) {
  const auto cues = cues_at({{0, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 2}});
  for (std::size_t i = 0; i < cues.size(); ++i) {
    EXPECT_GT(cues[i].end - cues[i].start, 0.005) << i;
    EXPECT_NEAR(cues[i].start, i > 0 ? cues[i - 1].end : 0, 1e-9) << i;
  }
}

TEST(CueTimes, OfRunsWithoutLengthAreTwoFramesAndNeverOverlap) {
  using Times = std::vector<std::pair<double, double>>;
  const Times table[] = {
      {{0, 3}, {3, 3}, {3, 3}, {3, 3}, {3, 3}, {3, 8}},
      {{3, 3}, {3, 3}, {3, 3}, {3, 3}, {3.1, 8}},
      {{0, 3}, {3, 3}, {3, 3}, {3, 3}},
      {{0, 3}, {3, 3}, {3.05, 3.05}, {3.1, 3.1}, {3.12, 6}},
      {{0, 4}, {3, 3}, {3, 3}, {3.2, 6}},  // the cue before ends late
      {{0, 2}, {2, 2}, {2, 2}, {5, 6}},
  };
  for (const Times& times : table) {
    const auto cues = cues_at(times);
    for (std::size_t i = 0; i < cues.size(); ++i) {
      EXPECT_GE(cues[i].end - cues[i].start, 0.08) << &times - table << ": " << i;
      EXPECT_NEAR(cues[i].start, times[i].first, 0.5) << "not late";
      if (i == 0) continue;
      EXPECT_GE(cues[i].start, cues[i - 1].end - 1e-9) << &times - table << ": " << i;
    }
  }
}

TEST(CueTimes, WithoutLengthThatBeginWithTheCueBeforeLeaveItHalf) {
  const auto cues = cues_at({{1, 3}, {1, 1}, {5, 6}});
  EXPECT_GE(cues[0].end - cues[0].start, 1);
  EXPECT_GE(cues[1].end - cues[1].start, 0.08);
}

TEST(CueTimes, ThatRunBackwardsOrAreNoNumbersHaveLengths) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const auto& cue : cues_at({{3, 2}, {nan, nan}, {infinite, infinite}, {-1, 0}})) {
    EXPECT_GT(cue.end, cue.start);
  }
}

}  // namespace
}  // namespace protocol
