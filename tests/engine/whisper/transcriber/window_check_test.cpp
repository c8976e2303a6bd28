#include "engine/whisper/transcriber/window_check.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

constexpr int timestamps = 50364;

// A text that ends at 4 s.
DecodingResult good() {
  DecodingResult result;
  result.tokens = {timestamps, 7, 8, timestamps + 200};
  result.avg_logprob = -0.3;
  result.compression_ratio = 1.2;
  return result;
}

TEST(WindowCheck, ATextThatGoesToTheEndOfSpeechIsTaken) {
  EXPECT_FALSE(is_doubtful(good(), timestamps, 4.2, 0.6));
  EXPECT_FALSE(is_doubtful(good(), timestamps, 5.4, 0.6));
  EXPECT_FALSE(is_doubtful(good(), timestamps, 2, 0.6));
}

TEST(WindowCheck, ATextThatEndsBeforeTheSpeechIsDoubtful) {
  EXPECT_TRUE(is_doubtful(good(), timestamps, 5.6, 0.6));
  EXPECT_FALSE(is_doubtful(good(), timestamps, std::nullopt, 0.6))
      << "no timestamps were asked for";
  DecodingResult without = good();
  without.tokens = {7, 8};
  EXPECT_TRUE(is_doubtful(without, timestamps, 1, 0.6));
  DecodingResult continued = good();
  continued.tokens.push_back(9);
  EXPECT_TRUE(is_doubtful(continued, timestamps, 5.6, 0.6)) << "its last segment has no end";
}

TEST(WindowCheck, AnEmptyTextIsDoubtfulIfSomebodySpeaks) {
  DecodingResult result = good();
  for (const auto& tokens : {std::vector<int>{}, {timestamps}, {timestamps, timestamps + 20}}) {
    result.tokens = tokens;
    EXPECT_TRUE(is_doubtful(result, timestamps, 0.3, 0.6));
    EXPECT_FALSE(is_doubtful(result, timestamps, 0, 0.6));
  }
}

TEST(WindowCheck, ATextThatTheNextWindowContinuesIsTaken) {
  DecodingResult result = good();
  result.tokens.push_back(timestamps + 200);
  EXPECT_FALSE(is_doubtful(result, timestamps, 8, 0.6)) << "the next window begins at 4 s";
  result.tokens.push_back(9);
  EXPECT_FALSE(is_doubtful(result, timestamps, 8, 0.6))
      << "the unfinished segment is decoded again";
  result.tokens.push_back(timestamps + 300);
  EXPECT_TRUE(is_doubtful(result, timestamps, 8, 0.6)) << "a last timestamp alone ends the window";
}

TEST(WindowCheck, ATextThatIsImprobableOrRepeatsItselfIsDoubtful) {
  DecodingResult result = good();
  result.avg_logprob = -0.81;
  EXPECT_TRUE(is_doubtful(result, timestamps, 4, 0.6));
  result = good();
  result.compression_ratio = 2.41;
  EXPECT_TRUE(is_doubtful(result, timestamps, 4, 0.6));
  result = good();
  result.looping = true;
  EXPECT_TRUE(is_doubtful(result, timestamps, 4, 0.6));
}

// The last 0.3 s of a recording got a sentence that nobody had said.
TEST(WindowCheck, ATextThatIsProbablyNoSpeechIsDoubtful) {
  DecodingResult result = good();
  result.no_speech_prob = 0.61;
  EXPECT_TRUE(is_doubtful(result, timestamps, 4, 0.6));
  EXPECT_FALSE(is_doubtful(result, timestamps, 4, std::nullopt));
}

}  // namespace
}  // namespace engine
