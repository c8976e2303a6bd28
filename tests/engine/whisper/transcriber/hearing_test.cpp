#include "engine/whisper/transcriber/hearing.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine {
namespace {

constexpr int n_mels = 80;

// A recording whose loudest band has these values, second by second. Others change all the time if
// it is not steady, but so that nothing of it is heard.
MelSpool spool_of(const std::vector<float>& loudest, bool is_steady = false) {
  MelSpool spool = MelSpool::create(n_mels).value();
  for (std::size_t i = 0; i < loudest.size(); ++i) {
    const float others = is_steady || i % 2 == 0 ? -9 : -8;
    std::vector<float> second(std::size_t{100} * n_mels, others);
    for (std::size_t frame = 0; frame < 100; ++frame) second[frame * n_mels + 3] = loudest[i];
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

TEST(Hearing, PassesOverDigitalSilenceUpToALittleBeforeTheFirstSound) {
  const MelSpool spool = spool_of({-9, -9, -2, -9, 2, -9});
  const Hearing hearing(spool, 600, nullptr);
  EXPECT_EQ(hearing.after_silence({0, 600}).value(), 170);
  EXPECT_EQ(hearing.after_silence({100, 600}).value(), 170) << "of a second";
  EXPECT_EQ(hearing.after_silence({101, 600}).value(), 101) << "of less";
  EXPECT_EQ(hearing.after_silence({0, 200}).value(), 0) << "of a whole window";
}

TEST(Hearing, PassesOverWhatIsFaintOnlyWhereVadHearsNobody) {
  std::vector<float> loudest(40, -2);
  loudest.push_back(2);
  const MelSpool spool = spool_of(loudest);
  EXPECT_EQ(Hearing(spool, 4100, nullptr).after_silence({0, 4100}).value(), 0);
  std::vector<float> probabilities(1282, 0.01F);  // of 512 samples
  std::fill(probabilities.begin() + 1250, probabilities.end(), 0.9F);
  const Speech late(probabilities, 1282 * 512);
  const auto begin = Hearing(spool, 4100, &late).after_silence({0, 4100}).value();
  EXPECT_NEAR(static_cast<double>(begin), 3970, 10) << "beyond the first window";
  std::fill(probabilities.begin() + 100, probabilities.end(), 0.9F);
  const Speech early(probabilities, 1282 * 512);
  EXPECT_EQ(Hearing(spool, 4100, &early).after_silence({0, 4100}).value(), 0) << "3 s are short";
  const MelSpool loud = spool_of(std::vector<float>(41, 2));
  EXPECT_EQ(Hearing(loud, 4100, &late).after_silence({0, 4100}).value(), 0);
}

TEST(Hearing, PassesOverSteadyNoiseUpToWhereVadHearsSpeech) {
  constexpr bool steady = true;
  const MelSpool spool = spool_of(std::vector<float>(45, 2), steady);
  std::vector<float> probabilities(1407, 0.01F);  // of 512 samples
  std::fill(probabilities.begin() + 1250, probabilities.end(), 0.9F);
  const Speech late(probabilities, 1407 * 512);
  const auto begin = Hearing(spool, 4500, &late).after_silence({0, 4500}).value();
  EXPECT_NEAR(static_cast<double>(begin), 3970, 10) << "beyond the first window";
  std::fill(probabilities.begin() + 100, probabilities.end(), 0.9F);
  const Speech early(probabilities, 1407 * 512);
  EXPECT_EQ(Hearing(spool, 4500, &early).after_silence({0, 4500}).value(), 0) << "3 s are short";
  const MelSpool changing = spool_of(std::vector<float>(45, 2));
  EXPECT_EQ(Hearing(changing, 4500, &late).after_silence({0, 4500}).value(), 0);
}

TEST(Hearing, PassesOverSteadyNoiseUpToWhatFollowsWhereVadHasNotListened) {
  constexpr bool steady = true;
  std::vector<float> loudest(40, 2);
  loudest.resize(50, 6);
  const MelSpool spool = spool_of(loudest, steady);
  EXPECT_EQ(Hearing(spool, 5000, nullptr).after_silence({0, 5000}).value(), 3970);
  EXPECT_EQ(Hearing(spool, 5000, nullptr).after_silence({0, 4000}).value(), 4000);
  EXPECT_EQ(Hearing(spool, 5000, nullptr).after_silence({3600, 5000}).value(), 3600) << "4 s";
  EXPECT_EQ(Hearing(spool, 5000, nullptr).after_silence({3520, 5000}).value(), 3520)
      << "less than 5 s";
  EXPECT_EQ(Hearing(spool, 5000, nullptr).after_silence({3900, 4000}).value(), 4000)
      << "the end of more than 5 s";
  EXPECT_EQ(Hearing(spool, 5000, nullptr).after_silence({4400, 4450}).value(), 4400)
      << "the end of less";
  const Speech stopped(std::vector<float>(63, 0.9F), 5000 * 160);
  EXPECT_EQ(Hearing(spool, 5000, &stopped).after_silence({0, 5000}).value(), 0);
  EXPECT_EQ(Hearing(spool, 5000, &stopped).after_silence({300, 5000}).value(), 3970);
}

TEST(Hearing, AfterAPauseGoesOnALittleBeforeSpeechThatBeginsInTheWindow) {
  const MelSpool spool = spool_of({-2, -2, -2, 2, 2, -2});
  const Hearing hearing(spool, 600, nullptr);
  EXPECT_EQ(hearing.after_pause({0, 600}).value(), 270);
  EXPECT_EQ(hearing.after_pause({250, 600}).value(), 600) << "the pause is short";
  EXPECT_EQ(hearing.after_pause({0, 300}).value(), 300) << "nobody speaks";
  EXPECT_EQ(hearing.after_pause({0, 330}).value(), 270) << "the window ends with its beginning";
}

TEST(Hearing, TakesNoClickForSpeech) {
  MelSpool spool = spool_of({-2, -2});
  std::vector<float> click(std::size_t{10} * n_mels, 2);
  ASSERT_TRUE(spool.append({n_mels, click}));
  ASSERT_TRUE(spool.append({n_mels, std::vector<float>(std::size_t{290} * n_mels, -2)}));
  ASSERT_TRUE(spool.append({n_mels, std::vector<float>(std::size_t{100} * n_mels, 2)}));
  const Hearing hearing(spool, 600, nullptr);
  EXPECT_EQ(hearing.after_pause({0, 600}).value(), 470);
}

TEST(Hearing, MovesTimesOutOfDigitalSilence) {
  const MelSpool spool = spool_of({-9, 1, -9, -9, -3, -9});
  const Hearing hearing(spool, 600, nullptr);
  Segment segment;
  segment.start = 0.76;
  segment.end = 5.5;
  segment.words = {
      {0.76, 1.4, " a", 1}, {1.4, 2.3, " b", 1}, {2.5, 2.7, " c", 1}, {3.98, 5.02, " d", 1}};
  ASSERT_TRUE(hearing.move_to_sound(std::span(&segment, 1)));
  EXPECT_NEAR(segment.start, 1, 1e-9);
  EXPECT_NEAR(segment.end, 5.02, 1e-9) << "two frames are what containers round";
  EXPECT_NEAR(segment.words[0].start, 1, 1e-9);
  EXPECT_NEAR(segment.words[1].end, 2, 1e-9);
  EXPECT_NEAR(segment.words[2].start, 2.5, 1e-9) << "it has no sound";
  EXPECT_NEAR(segment.words[3].start, 3.98, 1e-9);
  segment.words.clear();
  segment.start = 0.5;
  segment.end = 3;
  ASSERT_TRUE(hearing.move_to_sound(std::span(&segment, 1)));
  EXPECT_NEAR(segment.start, 1, 1e-9);
  EXPECT_NEAR(segment.end, 2, 1e-9);
}

TEST(Hearing, IsSureOfASecondThatVadHears) {
  const MelSpool spool = spool_of({2, 2, 2, 2, 2, 2});
  const Speech speech(std::vector<float>(63, 0.9F), 600 * 160);  // 2.016 s, then VAD stopped
  const Hearing hearing(spool, 600, &speech);
  EXPECT_TRUE(hearing.is_spoken({0, 600}));
  EXPECT_FALSE(hearing.is_spoken({150, 600}));
  EXPECT_FALSE(hearing.is_spoken({300, 600})) << "VAD has not listened";
  EXPECT_FALSE(Hearing(spool, 600, nullptr).is_spoken({0, 600}));
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
