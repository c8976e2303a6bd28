#include "engine/whisper/transcriber/language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

using Windows = std::vector<Clip>;

// Speech everywhere but in the first `silent_s` seconds.
Speech speech_after(double silent_s, double duration_s) {
  constexpr double chunk_s = 0.032;
  std::vector<float> probabilities;
  for (double at = 0; at < duration_s; at += chunk_s) {
    probabilities.push_back(at < silent_s ? 0.01F : 0.9F);
  }
  const auto samples = static_cast<std::int64_t>(probabilities.size()) * 512;
  return {std::move(probabilities), samples};
}

class LanguageProbabilities : public ::testing::Test {
 protected:
  // Logits in which English has the probability 0.6, German 0.3 and French 0.1.
  std::vector<float> logits() const {
    std::vector<float> all(static_cast<std::size_t>(tokenizer_.n_vocab()), -50);
    all[9] = 50;  // no language
    const auto of_code = [&](const char* code) -> float& {
      return all[static_cast<std::size_t>(*tokenizer_.language_token(code))];
    };
    of_code("en") = std::log(0.6F);
    of_code("de") = std::log(0.3F);
    of_code("fr") = std::log(0.1F);
    return all;
  }
  double of(const std::vector<double>& probabilities, const char* code) const {
    const auto languages = tokenizer_.languages();
    const auto language = std::ranges::find(languages, code, &LanguageToken::code);
    return probabilities[static_cast<std::size_t>(language - languages.begin())];
  }

  Tokenizer tokenizer_ = byte_tokenizer();
};

TEST_F(LanguageProbabilities, AreOfTheLanguagesAlone) {
  const auto found = language_probabilities(logits(), tokenizer_, {}).value();
  EXPECT_EQ(found.size(), 99u);
  EXPECT_NEAR(of(found, "en"), 0.6, 1e-5);
  EXPECT_NEAR(of(found, "de"), 0.3, 1e-5);
}

TEST_F(LanguageProbabilities, OfAChoiceSumUpToOne) {
  const std::vector<std::string> allowed{"de", "fr"};
  const auto found = language_probabilities(logits(), tokenizer_, allowed).value();
  EXPECT_EQ(of(found, "en"), 0);
  EXPECT_NEAR(of(found, "de"), 0.75, 1e-5);
  EXPECT_NEAR(of(found, "fr"), 0.25, 1e-5);
}

TEST_F(LanguageProbabilities, ThatAreNoNumbersAreAnError) {
  auto bad = logits();
  bad[static_cast<std::size_t>(tokenizer_.languages().front().id)] = NAN;
  EXPECT_EQ(language_probabilities(bad, tokenizer_, {}).error().code, Errc::non_finite_logits);
}

TranscriptionOptions hearing(int segments, int candidates = 3) {
  TranscriptionOptions options;
  options.language_detection_segments = segments;
  options.language_detection_candidates = candidates;
  return options;
}

TEST(DetectionWindows, AreTheFirstOnes) {
  const Clip first{0, 3000};
  EXPECT_EQ(detection_windows({0, 100'000}, hearing(1), nullptr), Windows{first});
  EXPECT_EQ(detection_windows({0, 100'000}, hearing(3), nullptr),
            (Windows{first, {3000, 6000}, {6000, 9000}}));
  EXPECT_EQ(detection_windows({0, 0}, hearing(3), nullptr), Windows{first});
}

TEST(DetectionWindows, EndAsTheyAreDecodedOrInSilenceAsOpenaiHasIt) {
  EXPECT_EQ(detection_windows({0, 5000}, hearing(3), nullptr), (Windows{{0, 3000}, {3000, 5000}}));
  EXPECT_EQ(detection_windows({0, 5000}, hearing(3, 1), nullptr),
            (Windows{{0, 3000}, {3000, 6000}}));
  EXPECT_EQ(detection_windows({0, 700}, hearing(1), nullptr), (Windows{{0, 700}}));
  EXPECT_EQ(detection_windows({0, 700}, hearing(1, 1), nullptr), (Windows{{0, 3000}}));
}

TEST(DetectionWindows, BeginWithTheRecordingWhereSomebodySpeaksInItsFirstHalfWindow) {
  EXPECT_EQ(detection_windows({0, 20'000}, hearing(1), nullptr, 1499), (Windows{{0, 3000}}));
  EXPECT_EQ(detection_windows({0, 20'000}, hearing(2), nullptr, 1500),
            (Windows{{1470, 4470}, {4470, 7470}}));
  EXPECT_EQ(detection_windows({0, 2000}, hearing(1), nullptr, 1600), (Windows{{1570, 2000}}));
}

TEST(DetectionWindows, BeginWhereDecodingDoes) {
  EXPECT_EQ(detection_windows({400, 20'000}, hearing(1), nullptr, 430), (Windows{{400, 3400}}));
  EXPECT_EQ(detection_windows({400, 2000}, hearing(1), nullptr, 430), (Windows{{400, 2000}}));
}

TEST(DetectionWindows, HoldSpeechWhereThatIsKnown) {
  const Speech speech = speech_after(70, 200);
  EXPECT_EQ(detection_windows({0, 20'000}, hearing(2), &speech),
            (Windows{{6000, 9000}, {9000, 12'000}}));
  const auto first = detection_windows({0, 20'000}, hearing(1), &speech, speech.first_spoken());
  ASSERT_EQ(first.size(), 1u);
  EXPECT_NEAR(static_cast<double>(first[0].begin), 6970, 5) << "a little before somebody speaks";
  const Speech silence = speech_after(200, 200);
  EXPECT_EQ(detection_windows({0, 20'000}, hearing(2), &silence), (Windows{{0, 3000}}));
}

}  // namespace
}  // namespace engine
