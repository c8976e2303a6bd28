#include "engine/speakers/spoken_turns.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

// Probabilities of speech for so many seconds, where nobody speaks but from one time to another.
std::vector<float> speech_between(double begin, double end, double length = 10) {
  std::vector<float> speech(static_cast<std::size_t>(length / 0.032), 0.05F);
  for (std::size_t i = 0; i < speech.size(); ++i) {
    const double at = static_cast<double>(i) * 0.032;
    if (at >= begin && at < end) speech[i] = 0.9F;
  }
  return speech;
}

std::vector<Turn> spoken(std::vector<Turn> turns, const std::vector<float>& speech) {
  drop_unspoken(turns, speech);
  return turns;
}

TEST(SpokenTurns, AreThoseInWhichThereIsSpeech) {
  const std::vector<Turn> turns{{0, 1.2, 0}, {3, 6, 0}, {5, 7, 1}, {8, 9, 1}};
  EXPECT_EQ(spoken(turns, speech_between(3.5, 5.5)), (std::vector<Turn>{{3, 6, 0}, {5, 7, 1}}));
}

TEST(SpokenTurns, ThereAreNoneInARoomWhereNobodyIs) {
  EXPECT_TRUE(spoken({{0, 1.2, 0}, {7.2, 7.5, 0}}, speech_between(0, 0)).empty());
}

TEST(SpokenTurns, AShortOneStaysIfItsSpeakerIsHeardElsewhere) {
  const std::vector<Turn> turns{{0, 2, 0}, {3, 3.4, 0}, {4, 4.6, 0}, {5, 5.4, 1}};
  EXPECT_EQ(spoken(turns, speech_between(0, 1)), (std::vector<Turn>{{0, 2, 0}, {3, 3.4, 0}}));
}

TEST(SpokenTurns, AreAllOfThemWhereNobodyKnows) {
  const std::vector<Turn> turns{{0, 1, 0}, {2, 3, 1}};
  EXPECT_EQ(spoken(turns, {}), turns);
}

TEST(SpokenTurns, MayReachBeyondWhatSileroHasHeard) {
  EXPECT_TRUE(spoken({{9.9, 12, 0}, {11, 12, 1}}, speech_between(0, 5)).empty());
}

TEST(SpokenTurns, NeedNoSileroWhereItIsNotInstalled) {
  const auto weights = load_second_opinion("/no/such/file.onnx");
  ASSERT_TRUE(weights);
  EXPECT_EQ(*weights, nullptr);
}

}  // namespace
}  // namespace engine
