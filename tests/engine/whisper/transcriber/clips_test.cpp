#include "engine/whisper/transcriber/clips.h"

#include <gtest/gtest.h>

#include <cmath>

namespace engine {
namespace {

TEST(Clips, ArePairsOfSecondsWithinTheRecording) {
  struct Case {
    std::vector<double> timestamps;
    std::vector<Clip> clips;
  };
  const Case cases[] = {
      {{}, {{0, 1000}}},
      {{0}, {{0, 1000}}},
      {{2.5}, {{250, 1000}}},
      {{1, 2, 4, 6}, {{100, 200}, {400, 600}}},
      {{1, 2, 4}, {{100, 200}, {400, 1000}}},
      {{0, 99}, {{0, 1000}}},
      {{20}, {{1000, 1000}}},
      {{0.005, 0.015}, {{0, 2}}},  // halves go to the even frame
  };
  for (const Case& c : cases) EXPECT_EQ(clips_of(c.timestamps, 1000).value(), c.clips);
}

TEST(Clips, TimesWithoutMeaningAreRefused) {
  for (const std::vector<double>& bad :
       {std::vector<double>{-1, 2}, {3, 2}, {NAN}, {INFINITY, INFINITY}, {1e300}}) {
    EXPECT_EQ(clips_of(bad, 1000).error().code, Errc::invalid_option);
  }
}

}  // namespace
}  // namespace engine
