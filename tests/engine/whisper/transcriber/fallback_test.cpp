#include "engine/whisper/transcriber/fallback.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

DecodingResult result(double compression_ratio, double avg_logprob, double no_speech_prob) {
  DecodingResult r;
  r.compression_ratio = compression_ratio;
  r.avg_logprob = avg_logprob;
  r.no_speech_prob = no_speech_prob;
  return r;
}

TEST(Fallback, IsNeededForRepetitiveOrImprobableTextThatIsNotSilence) {
  const TranscriptionOptions options;
  EXPECT_FALSE(needs_fallback(result(1.5, -0.3, 0.1), options));
  EXPECT_TRUE(needs_fallback(result(2.5, -0.3, 0.1), options));
  EXPECT_TRUE(needs_fallback(result(1.5, -1.1, 0.1), options));
  EXPECT_FALSE(needs_fallback(result(1.5, -1.1, 0.7), options));
  EXPECT_TRUE(needs_fallback(result(2.5, -0.3, 0.7), options));
}

TEST(Fallback, AnUnsetThresholdTurnsItsRuleOff) {
  TranscriptionOptions options;
  options.compression_ratio_threshold.reset();
  EXPECT_FALSE(needs_fallback(result(9, -0.3, 0.1), options));
  options.logprob_threshold.reset();
  EXPECT_FALSE(needs_fallback(result(9, -9, 0.1), options));
}

TEST(Fallback, IsNeededForALoopHoweverLittleItCompresses) {
  DecodingResult loop = result(1.5, -0.3, 0.1);
  loop.looping = true;
  TranscriptionOptions options;
  options.compression_ratio_threshold.reset();
  EXPECT_TRUE(needs_fallback(loop, options));
}

// Tries with (compression ratio, log probability), and which of them counts.
TEST(Fallback, OfTriesThatAllFailTheBestThatDoesNotRepeatItselfCounts) {
  struct Row {
    std::vector<DecodingResult> tries;
    std::size_t best;
  };
  DecodingResult loop = result(1.5, -0.1, 0.1);
  loop.looping = true;
  const Row table[] = {
      {{result(1.5, -1.2, 0.1), result(1.4, -1.1, 0.1), result(1, -2.5, 0.1)}, 1},
      {{result(1.5, -1.1, 0.1), result(1.4, -1.1, 0.1)}, 0},
      {{result(9, -0.1, 0.1), result(1.4, -1.8, 0.1), result(1.2, -3, 0.1)}, 1},
      {{result(9, -0.2, 0.1), result(8, -0.1, 0.1), result(7, -0.3, 0.1)}, 1},
      {{loop, result(1.4, -1.8, 0.1), result(9, -0.1, 0.1)}, 1},
      {{loop, result(9, -0.3, 0.1)}, 0},
      {{result(9, -0.1, 0.1)}, 0},
  };
  TranscriptionOptions options;
  for (const Row& row : table) {
    options.fallback = Fallback::best;
    EXPECT_EQ(&best_try(row.tries, options), &row.tries[row.best]) << &row - table;
    options.fallback = Fallback::openai;
    EXPECT_EQ(&best_try(row.tries, options), &row.tries.back()) << &row - table;
  }
}

TEST(Fallback, WithoutAThresholdNothingCompressesTooWell) {
  TranscriptionOptions options;
  options.compression_ratio_threshold.reset();
  const std::vector<DecodingResult> tries{result(9, -1.1, 0.1), result(1.4, -1.8, 0.1)};
  EXPECT_EQ(&best_try(tries, options), &tries[0]);
}

TEST(Silence, IsALikelyPauseWhoseTextIsImprobable) {
  TranscriptionOptions options;
  EXPECT_TRUE(is_silence(result(1, -1.2, 0.7), options));
  EXPECT_FALSE(is_silence(result(1, -0.5, 0.7), options));
  EXPECT_FALSE(is_silence(result(1, -1.2, 0.5), options));
  options.logprob_threshold.reset();
  EXPECT_TRUE(is_silence(result(1, -0.5, 0.7), options));
  options.no_speech_threshold.reset();
  EXPECT_FALSE(is_silence(result(1, -9, 0.9), options));
}

TEST(Silence, IsAlsoAGuessWhereAPauseIsHalfAsLikely) {
  TranscriptionOptions options;
  EXPECT_TRUE(is_silence(result(1, -2.1, 0.35), options));
  EXPECT_FALSE(is_silence(result(1, -2.1, 0.25), options));
  EXPECT_FALSE(is_silence(result(1, -1.9, 0.35), options));
  options.logprob_threshold.reset();
  EXPECT_FALSE(is_silence(result(1, -2.1, 0.35), options));
}

}  // namespace
}  // namespace engine
