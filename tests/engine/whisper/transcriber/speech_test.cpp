#include "engine/whisper/transcriber/speech.h"

#include <gtest/gtest.h>

#include <utility>

namespace engine {
namespace {

constexpr std::int64_t chunk = 512;
constexpr double chunk_s = 0.032;

// Speech from second to second, in a recording of `duration_s`.
Speech speech(const std::vector<std::pair<double, double>>& parts, double duration_s) {
  std::vector<float> probabilities(static_cast<std::size_t>(duration_s / chunk_s), 0.01F);
  for (const auto& [begin, end] : parts) {
    for (double at = begin; at < end; at += chunk_s) {
      probabilities[static_cast<std::size_t>(at / chunk_s)] = 0.9F;
    }
  }
  const auto samples = static_cast<std::int64_t>(probabilities.size()) * chunk;
  return {std::move(probabilities), samples};
}

Segment segment(double start, double end, std::string text = " words") {
  Segment one;
  one.start = start;
  one.end = end;
  one.text = std::move(text);
  return one;
}

// Within a tenth of a second: chunks and Silero's padding move what begins and ends.
void expect_near(const std::vector<Clip>& found, const std::vector<Clip>& expected,
                 const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(found[i].begin), static_cast<double>(expected[i].begin), 10)
        << what;
    EXPECT_NEAR(static_cast<double>(found[i].end), static_cast<double>(expected[i].end), 10)
        << what;
  }
}

TEST(Speech, IsInAPartThatHearsAnyOfIt) {
  const Speech found = speech({{10, 12}}, 60);
  EXPECT_TRUE(found.any_in({0, 6000}));
  EXPECT_TRUE(found.any_in({1100, 1110}));
  EXPECT_FALSE(found.any_in({0, 900}));
  EXPECT_FALSE(found.any_in({1300, 6000}));
}

TEST(Speech, BeginsWhereSomebodyGoesOnToSpeak) {
  EXPECT_NEAR(static_cast<double>(speech({{3, 3.1}, {40, 42}}, 60).first_spoken()), 4000, 10)
      << "a click long before";
  EXPECT_NEAR(static_cast<double>(speech({{3, 3.2}, {5, 5.4}}, 60).first_spoken()), 300, 10);
  EXPECT_NEAR(static_cast<double>(speech({{7, 7.2}}, 60).first_spoken()), 700, 10)
      << "a word is all";
  EXPECT_EQ(speech({}, 60).first_spoken(), 0);
}

TEST(Speech, IsAllThatTheDetectorHasNotHeard) {
  const std::vector<float> silence(1000, 0.01F);
  const Speech found(silence, 2000 * chunk);
  EXPECT_FALSE(found.any_in({0, 3199}));
  EXPECT_TRUE(found.any_in({3190, 3210}));
  EXPECT_EQ(found.first_spoken(), 3200);
}

TEST(Speech, SaysWhereAWindowMayBegin) {
  const Speech found = speech({{0.5, 5}, {40, 42}}, 60);
  EXPECT_EQ(found.next_window({0, 6000}), 0) << "it begins soon";
  EXPECT_EQ(found.next_window({200, 6000}), 200) << "in the middle of it";
  EXPECT_NEAR(static_cast<double>(found.next_window({1000, 6000})), 3970, 10);
  EXPECT_EQ(found.next_window({4500, 6000}), 6000) << "nothing more is said";
}

TEST(Speech, MovesSegmentsThatBeginBeforeItOrEndBehindIt) {
  const Speech found = speech({{46, 50}}, 60);
  Segment early = segment(30, 58);
  move_to_speech(early, found);
  EXPECT_NEAR(early.start, 45.8, 0.1);
  EXPECT_NEAR(early.end, 50.2, 0.1);
  Segment near = segment(45.7, 50.3), unheard = segment(10, 20);
  move_to_speech(near, found);
  move_to_speech(unheard, found);
  EXPECT_EQ(near.start, 45.7);
  EXPECT_EQ(near.end, 50.3);
  EXPECT_EQ(unheard.start, 10);
  EXPECT_EQ(unheard.end, 20);
}

TEST(Speech, IsCutIntoWindowsAtSilences) {
  const Speech found = speech({{5, 20}, {22, 28}, {40, 60}, {200, 201}}, 300);
  expect_near(found.windows_of({0, 30000}), {{470, 2830}, {3970, 6030}, {19970, 20130}},
              "everything");
  expect_near(found.windows_of({1000, 5000}), {{1000, 2830}, {3970, 5000}}, "a part");
  expect_near(found.windows_of({7000, 15000}), {}, "silence");
}

TEST(Speech, LiesInWindowsThatNeverOverlapAndFitTheEncoder) {
  const Speech found = speech({{0, 300}}, 300);
  const auto windows = found.windows_of({0, 29990});
  ASSERT_GE(windows.size(), 11U);
  EXPECT_EQ(windows.front().begin, 0);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    EXPECT_GT(windows[i].end, windows[i].begin);
    EXPECT_LE(windows[i].end - windows[i].begin, 3000);
    const std::int64_t before = i == 0 ? 0 : windows[i - 1].end;
    EXPECT_EQ(windows[i].begin, before) << "speech without a gap";
  }
  EXPECT_EQ(windows.back().end, 29990);
}

TEST(Speech, IsUnheardWhereNoSegmentCoversIt) {
  const Speech found = speech({{5, 8}, {12, 12.8}, {16, 16.2}, {20, 28}}, 30);
  const Clip everything{0, 3000};
  struct Case {
    const char* what;
    std::vector<Segment> segments;
    std::vector<Clip> unheard;
  };
  const Case cases[] = {
      {"all is covered", {segment(5, 8), segment(12, 13), segment(20, 28)}, {}},
      {"one segment over all", {segment(0, 30)}, {}},
      {"a region without a segment", {segment(5, 8), segment(20, 28)}, {{1180, 1300}}},
      {"a region that a segment touches, and that is short",
       {segment(5, 12.3), segment(20, 28)},
       {}},
      {"the end of a long one", {segment(5, 13), segment(20, 24)}, {{2380, 2820}}},
      {"a second of a long one", {segment(5, 13), segment(20, 27)}, {}},
      {"the middle of a long one",
       {segment(5, 13), segment(20, 22), segment(26, 28)},
       {{2180, 2620}}},
      {"segments in any order", {segment(20, 28), segment(5, 13)}, {}},
      {"a segment without text covers nothing",
       {segment(5, 13), segment(16, 28, "")},
       {{1980, 2820}}},
      {"no segments", {}, {{480, 820}, {1180, 1300}, {1980, 2820}}},
  };
  for (const Case& c : cases)
    expect_near(found.unheard_in(everything, c.segments), c.unheard, c.what);
}

TEST(Speech, IsUnheardOnlyWithinThePart) {
  const Speech found = speech({{5, 8}, {12, 13}, {20, 28}}, 30);
  expect_near(found.unheard_in({1000, 2500}, {}), {{1180, 1320}, {1980, 2500}}, "two and a half");
}

}  // namespace
}  // namespace engine
