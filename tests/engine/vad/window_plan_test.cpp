#include "engine/vad/window_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <stdexcept>

namespace engine {

void PrintTo(const PlannedWindow& window, std::ostream* out) {
  *out << '[' << static_cast<double>(window.begin) / 16000 << " s, "
       << static_cast<double>(window.end) / 16000 << " s)";
}

namespace {

constexpr double total_s = 100;

std::int64_t samples(double seconds) {
  return static_cast<std::int64_t>(seconds * 16000);
}

struct Seconds {
  double begin;
  double end;
};

std::vector<SpeechRegion> regions(const std::vector<Seconds>& list) {
  std::vector<SpeechRegion> result;
  for (const auto& s : list) result.push_back({samples(s.begin), samples(s.end)});
  return result;
}

std::vector<PlannedWindow> windows(const std::vector<Seconds>& list) {
  std::vector<PlannedWindow> result;
  for (const auto& s : list) result.push_back({samples(s.begin), samples(s.end)});
  return result;
}

// Windows of 31 s with margins of 0.5 s: 30 s of speech, a quarter of which is 7.5 s.
constexpr WindowPlanOptions options{31, 0.5};

TEST(WindowPlan, CutsAtSilences) {
  struct Case {
    const char* what;
    std::vector<Seconds> regions;
    std::vector<Seconds> windows;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"one", {{10, 20}}, {{9.5, 20.5}}},
      {"margins end with the recording", {{0.25, 20}}, {{0, 20.5}}},
      {"at both ends", {{80, 99.75}}, {{79.5, 100}}},
      {"all that fits is one window", {{1, 2}, {5, 6}, {20, 31}}, {{0.5, 31.5}}},
      {"all of it", {{1, 2}, {20, 25}, {27, 30}}, {{0.5, 30.5}}},
      {"far apart", {{1, 2}, {70, 71}}, {{0.5, 2.5}, {69.5, 71.5}}},
      {"margins share a short silence", {{0, 29}, {29.5, 40}}, {{0, 29.25}, {29.25, 40.5}}},
      {"the longest silence of the last quarter",
       {{0, 10}, {15, 23}, {25, 26}, {27, 29}, {29.5, 40}},
       {{0, 23.5}, {24.5, 40.5}}},
      {"the later of two", {{0, 23}, {24, 26}, {27, 29}, {29.5, 40}}, {{0, 26.5}, {26.5, 40.5}}},
      {"else the last one before", {{0, 10}, {15, 20}, {20.5, 45}}, {{0, 20.25}, {20.25, 45.5}}},
      {"also behind the window", {{0, 23}, {23.5, 29}, {32, 40}}, {{0, 29.5}, {31.5, 40.5}}},
      {"just as long as a window", {{5, 35}, {36, 40}}, {{4.5, 35.5}, {35.5, 40.5}}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(plan_windows(regions(c.regions), {}, samples(total_s), options), windows(c.windows))
        << c.what;
  }
}

TEST(WindowPlan, CutsLongSpeechWhereItIsLeastLikely) {
  std::vector<float> probabilities(3125, 0.9f);
  probabilities[655] = 0.1f;  // 20.976 s: just before the last third
  probabilities[700] = 0.4f;
  probabilities[750] = 0.3f;  // as low, but earlier
  probabilities[800] = 0.3f;
  const double cut = 800.5 * 0.032;
  EXPECT_EQ(plan_windows(regions({{1, 41}, {42, 43}}), probabilities, samples(total_s), options),
            windows({{0.5, cut}, {cut, 43.5}}));
  // Without probabilities the cut is as late as possible; the rest is short enough to be joined
  // with the next speech.
  EXPECT_EQ(plan_windows(regions({{1, 41}, {42, 43}}), {}, samples(total_s), options),
            windows({{0.5, 31}, {31, 43.5}}));
}

TEST(WindowPlan, CutsVeryLongSpeechMoreThanOnce) {
  const auto plan = plan_windows(regions({{0, 100}}), {}, samples(total_s), options);
  EXPECT_EQ(plan, windows({{0, 30}, {30, 60}, {60, 90}, {90, 100}}));
}

TEST(WindowPlan, WindowsWithoutRoomForSpeechAreAMistake) {
  EXPECT_THROW(plan_windows({}, {}, 0, {1, 0.5}), std::invalid_argument);
  EXPECT_THROW(plan_windows({}, {}, 0, {30, -1}), std::invalid_argument);
}

TEST(WindowPlan, HoldsAllSpeechOnceInWindowsThatAreShortEnough) {
  std::mt19937 generator(11);
  for (int round = 0; round < 300; ++round) {
    // Many tiny regions in some rounds, few long ones in others.
    const std::int64_t scale = 1 + static_cast<std::int64_t>(generator() % 400000);
    std::vector<SpeechRegion> list;
    std::int64_t at = static_cast<std::int64_t>(generator() % 1000);
    for (int i = 0; i < 200; ++i) {
      const std::int64_t length = 1 + static_cast<std::int64_t>(generator()) % scale;
      list.push_back({at, at + length});
      at += length + static_cast<std::int64_t>(generator() % 20000);
    }
    std::vector<float> probabilities(static_cast<std::size_t>(at / 512 + 1));
    for (float& p : probabilities) p = static_cast<float>(generator() % 100) / 100;
    const auto plan = plan_windows(list, probabilities, at, {30, 0.3});
    std::int64_t end = 0;
    for (const PlannedWindow& window : plan) {
      EXPECT_GE(window.begin, end);
      EXPECT_GT(window.end, window.begin);
      EXPECT_LE(window.end - window.begin, samples(30));
      end = window.end;
    }
    EXPECT_LE(end, at);
    for (const SpeechRegion& region : list) {
      std::int64_t held = 0;
      for (const PlannedWindow& window : plan) {
        held += std::max<std::int64_t>(
            0, std::min(window.end, region.end) - std::max(window.begin, region.begin));
      }
      ASSERT_EQ(held, region.length());
    }
  }
}

}  // namespace
}  // namespace engine
