#include "engine/whisper/transcriber/live_guards.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/heard_words.h"

namespace engine {
namespace {

TEST(RepeatsItself, WithFourTokensThreeTimesInARow) {
  struct Row {
    std::vector<int> tokens;
    bool repeats;
  };
  for (const Row& row : {
           Row{{}, false},
           Row{{1, 2, 3, 4, 1, 2, 3, 4}, false},
           Row{{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3}, false},
           Row{{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}, true},
           Row{{9, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 8}, true},
           Row{{1, 2, 3, 4, 9, 1, 2, 3, 4, 9, 1, 2, 3, 4}, false},
           Row{{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, true},
           Row{{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, false},
           Row{{5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6}, true},
       }) {
    EXPECT_EQ(repeats_itself(row.tokens), row.repeats) << testing::PrintToString(row.tokens);
  }
}

TEST(JumpsBack, ByMoreThanFourSeconds) {
  EXPECT_FALSE(jumps_back({}));
  auto heard = heard_words("a b c", 10);
  EXPECT_FALSE(jumps_back(heard));
  heard[2].attended = heard[1].attended - 4 * 16'000;
  EXPECT_FALSE(jumps_back(heard));
  --heard[2].attended;
  EXPECT_TRUE(jumps_back(heard));
}

TEST(LeavesSpeechOut, WhereTheLastWordEndsMoreThanOneAndAHalfSecondsBeforeIt) {
  auto heard = heard_words("a b", 10);
  heard.back().word.end = 12;
  EXPECT_FALSE(leaves_speech_out(heard, 9, 13.5));
  EXPECT_TRUE(leaves_speech_out(heard, 9, 13.51));
  EXPECT_FALSE(leaves_speech_out(heard, 13, 13.51)) << "committed words say it";
  EXPECT_FALSE(leaves_speech_out({}, 12, 13.5));
  EXPECT_TRUE(leaves_speech_out({}, 11.9, 13.5));
}

}  // namespace
}  // namespace engine
