#include "engine/whisper/transcriber/hearing.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine {
namespace {

constexpr int n_mels = 80;

// A recording whose loudest band has these values, second by second.
MelSpool spool_of(const std::vector<float>& loudest) {
  MelSpool spool = MelSpool::create(n_mels).value();
  for (const float value : loudest) {
    std::vector<float> second(std::size_t{100} * n_mels, -9);
    for (std::size_t frame = 0; frame < 100; ++frame) second[frame * n_mels + 3] = value;
    EXPECT_TRUE(spool.append({n_mels, std::move(second)}));
  }
  return spool;
}

TEST(Hearing, WithoutVadSaysWhatIsLoud) {
  const MelSpool spool = spool_of({-2, -2, -2, 1.5F, 0, -2});
  const Hearing hearing(spool, 600, nullptr);
  EXPECT_EQ(hearing.first_spoken().value(), 300);
  EXPECT_TRUE(hearing.is_silent({0, 300}).value());
  EXPECT_FALSE(hearing.is_silent({0, 301}).value());
  EXPECT_FALSE(hearing.is_silent({400, 500}).value()) << "half as loud";
  EXPECT_TRUE(hearing.is_silent({500, 600}).value());
}

TEST(Hearing, SaysWhereTheLastLoudOrSpokenMomentEnds) {
  const MelSpool spool = spool_of({-2, 1.5F, -2, 1, -2, -2});
  const Hearing loud(spool, 600, nullptr);
  EXPECT_EQ(loud.last_spoken({0, 600}).value(), 400);
  EXPECT_EQ(loud.last_spoken({0, 255}).value(), 205) << "within a tenth of a second";
  EXPECT_EQ(loud.last_spoken({400, 600}).value(), 400) << "nobody speaks";
  std::vector<float> probabilities(188, 0.01F);
  std::fill(probabilities.begin(), probabilities.begin() + 63, 0.9F);
  const Speech speech(std::move(probabilities), 188 * 512);
  const Hearing spoken(spool, 600, &speech);
  EXPECT_NEAR(static_cast<double>(spoken.last_spoken({0, 600}).value()), 202, 10);
  EXPECT_EQ(spoken.last_spoken({400, 600}).value(), 400);
}

TEST(Hearing, OfARecordingOfOneLoudnessBeginsAtOnce) {
  const MelSpool spool = spool_of(std::vector<float>(70, -2));
  const Hearing hearing(spool, 7000, nullptr);
  EXPECT_EQ(hearing.first_spoken().value(), 0);
  EXPECT_FALSE(hearing.is_silent({0, 7000}).value());
}

TEST(Hearing, WithVadSaysWhatIsSpokenHoweverLoudItIs) {
  const MelSpool spool = spool_of({2, 2, 2, 2, -2, -2});
  std::vector<float> probabilities(188, 0.01F);
  std::fill(probabilities.begin() + 126, probabilities.end(), 0.9F);
  const Speech speech(std::move(probabilities), 188 * 512);
  const Hearing hearing(spool, 600, &speech);
  EXPECT_NEAR(static_cast<double>(hearing.first_spoken().value()), 400, 10);
  EXPECT_TRUE(hearing.is_silent({0, 390}).value());
  EXPECT_FALSE(hearing.is_silent({300, 500}).value());
}

TEST(Hearing, WhereVadHasStoppedLoudnessTells) {
  const MelSpool spool = spool_of({-2, 2, -2, -2, 2, -2});
  const Speech speech(std::vector<float>(63, 0.9F), 600 * 160);
  const Hearing hearing(spool, 600, &speech);
  EXPECT_FALSE(hearing.is_silent({100, 300}).value());
  EXPECT_TRUE(hearing.is_silent({210, 400}).value());
  EXPECT_FALSE(hearing.is_silent({300, 450}).value());
  EXPECT_TRUE(hearing.is_silent({500, 600}).value());
}

}  // namespace
}  // namespace engine
