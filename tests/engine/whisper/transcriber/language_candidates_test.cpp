#include "engine/whisper/transcriber/language_candidates.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

LanguageCandidate candidate(const char* code, double probability, double avg_logprob,
                            double compression_ratio = 1.2) {
  LanguageCandidate made{{code, probability}, {}};
  made.text.avg_logprob = avg_logprob;
  made.text.compression_ratio = compression_ratio;
  return made;
}

TEST(LanguageCandidates, AreDecodedWhereTheLikeliestIsUnsure) {
  EXPECT_TRUE(should_text_decide({{{"en", 0.79}, {"de", 0.1}}, 0}, {}));
  EXPECT_FALSE(should_text_decide({{{"en", 0.81}, {"de", 0.1}}, 0}, {}));
  EXPECT_FALSE(should_text_decide({{{"en", 0.4}}, 0}, {}));
}

TEST(LanguageCandidates, AreNotDecodedWhereThereIsLikelyNoSpeech) {
  TranscriptionOptions options;
  const std::vector<protocol::LanguageDetected> unsure{{"en", 0.4}, {"de", 0.1}};
  EXPECT_TRUE(should_text_decide({unsure, 0.59}, options));
  EXPECT_FALSE(should_text_decide({unsure, 0.61}, options));
  options.no_speech_threshold.reset();
  EXPECT_TRUE(should_text_decide({unsure, 0.99}, options));
}

TEST(LanguageCandidates, TextAndLanguageDecideTogether) {
  struct Row {
    std::vector<LanguageCandidate> candidates;
    const char* best;
  };
  const Row table[] = {
      // About as likely: the better text.
      {{candidate("nn", 0.4, -1.5), candidate("no", 0.35, -0.6), candidate("sv", 0.1, -0.9)}, "no"},
      // Equal texts: the likelier language.
      {{candidate("en", 0.5, -0.4), candidate("de", 0.3, -0.4)}, "en"},
      // A better text of a language that hardly can be.
      {{candidate("en", 0.7, -0.5), candidate("cy", 0.01, -0.2)}, "en"},
      // A loop is likely text.
      {{candidate("en", 0.7, -0.1, 9), candidate("de", 0.2, -1.4)}, "de"},
      {{candidate("en", 0.7, -0.1, 9), candidate("de", 0.2, -0.1, 9)}, "en"},
  };
  for (const Row& row : table) {
    EXPECT_EQ(best_candidate(row.candidates, {}).language.language, row.best) << &row - table;
  }
}

}  // namespace
}  // namespace engine
