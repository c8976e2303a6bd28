#include "engine/speakers/online_voices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace engine {
namespace {

constexpr double long_s = 3;
constexpr double short_s = 1;

// Returns so many equal pieces of a turn that has this cosine with the axis, and none with others.
VectorSum turn_near(std::size_t axis, double cosine, double pieces = 6) {
  VectorSum turn{std::vector<double>(80), pieces};
  turn.sum[axis] = cosine * pieces;
  turn.sum.back() = std::sqrt(1 - cosine * cosine) * pieces;
  return turn;
}

KnownVoice known_on(std::size_t axis) {
  KnownVoice voice{"Ada", std::vector<double>(80)};
  voice.direction[axis] = 1;
  return voice;
}

TEST(OnlineVoices, ATurnGoesToTheNearestVoiceOrFoundsOne) {
  OnlineVoices voices({});
  EXPECT_EQ(voices.voice_of(turn_near(0, 1), long_s), 0);
  EXPECT_EQ(voices.voice_of(turn_near(1, 1), long_s), 1);
  EXPECT_EQ(voices.voice_of(turn_near(0, 0.5), long_s), 0);
  EXPECT_EQ(voices.voice_of(turn_near(2, 1), long_s), 2);
  EXPECT_EQ(voices.voice_of(turn_near(1, 0.45), long_s), 1);
}

TEST(OnlineVoices, FewPiecesAreGivenToAVoiceThatManyWouldNotBe) {
  struct Case {
    double cosine;
    double pieces;
    int voice;
  };
  for (const Case& c : {Case{0.36, 6, 0},
                        {0.34, 6, 1},
                        {0.34, 60, 1},
                        {0.28, 1, 0},
                        {0.26, 1, 1},
                        {0.32, 3, 0},
                        {0.30, 3, 1}}) {
    OnlineVoices voices({});
    voices.voice_of(turn_near(0, 1, 20), long_s);
    EXPECT_EQ(voices.voice_of(turn_near(0, c.cosine, c.pieces), long_s), c.voice)
        << c.cosine << ' ' << c.pieces;
  }
}

TEST(OnlineVoices, AShortTurnIsOfAVoiceThatIsClearlyNearOrOfNobody) {
  OnlineVoices voices({});
  EXPECT_FALSE(voices.voice_of(turn_near(0, 1, 1), short_s));
  voices.voice_of(turn_near(0, 1), long_s);
  voices.voice_of(turn_near(1, 1), long_s);
  EXPECT_EQ(voices.voice_of(turn_near(0, 0.5, 1), short_s), 0);
  EXPECT_FALSE(voices.voice_of(turn_near(0, 0.4, 1), short_s));
  VectorSum between = turn_near(0, 0.5, 1);
  between.sum[1] = 0.45;
  EXPECT_FALSE(voices.voice_of(between, short_s));
  // It has changed no voice, and founded none.
  EXPECT_EQ(voices.voice_of(turn_near(2, 1), long_s), 2);
}

TEST(OnlineVoices, AreNoMoreThanMayBe) {
  OnlineVoices two({}, 2);
  two.voice_of(turn_near(0, 1), long_s);
  two.voice_of(turn_near(1, 1), long_s);
  EXPECT_EQ(two.voice_of(turn_near(1, 0.1), long_s), 1);
  OnlineVoices many({}, 1000);
  for (std::size_t i = 0; i < 79; ++i) {
    const auto voice = many.voice_of(turn_near(i, 1), long_s);
    ASSERT_TRUE(voice);
    EXPECT_LT(*voice, most_speakers);
  }
}

TEST(OnlineVoices, KnownOnesComeFirstAndCountWhenTheyAreHeard) {
  const std::vector known{known_on(0), known_on(1)};
  OnlineVoices voices(known, 2);
  EXPECT_EQ(voices.voice_of(turn_near(2, 1), long_s), 2);
  EXPECT_EQ(voices.voice_of(turn_near(0, 0.5), long_s), 0);
  // The other known one was not heard, and no third is told apart.
  VectorSum far{std::vector<double>(80), 6};
  far.sum[1] = 0.2 * far.count;
  far.sum[2] = 0.1 * far.count;
  EXPECT_EQ(voices.voice_of(far, long_s), 2);
}

TEST(OnlineVoices, NothingIsSaidOfNothing) {
  OnlineVoices voices({});
  EXPECT_FALSE(voices.voice_of({}, long_s));
  EXPECT_FALSE(voices.voice_of({std::vector<double>(80), 3}, long_s));
}

// Each piece is one of the voice's direction and noise, so that pieces of one voice have a cosine
// of 0.44 and those of two about none, as those of CAM++.
TEST(OnlineVoices, KeepTheirNumbersThroughALongConversation) {
  constexpr std::size_t size = 192;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto turn_of = [&](std::size_t speaker) {
    VectorSum turn{std::vector<double>(size), 0};
    const auto pieces = 2 + random() % 10;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      turn.sum[speaker] += std::sqrt(0.44);
      for (double& x : turn.sum) x += std::sqrt(0.56 / size) * normal(random);
      ++turn.count;
    }
    return turn;
  };
  OnlineVoices voices({});
  for (std::size_t speaker = 0; speaker < 5; ++speaker) {
    EXPECT_EQ(voices.voice_of(turn_of(speaker), long_s), static_cast<int>(speaker));
  }
  for (int turn = 0; turn < 500; ++turn) {
    const std::size_t speaker = random() % 5;
    EXPECT_EQ(voices.voice_of(turn_of(speaker), long_s), static_cast<int>(speaker)) << turn;
  }
}

}  // namespace
}  // namespace engine
