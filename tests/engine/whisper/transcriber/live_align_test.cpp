#include "engine/whisper/transcriber/live_align.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/heard_words.h"

namespace engine {
namespace {

constexpr LiveRule align_att{LivePolicy::align_att, 15};
constexpr LiveRule local_agreement{LivePolicy::local_agreement, 15};

LiveMoment moment(double end_s, double silent_s = 0) {
  return {std::llrint(end_s * 16'000), std::llrint(silent_s * 16'000)};
}

TEST(SureWords, AreFarFromTheEndAndFollowed) {
  struct Row {
    const char* name;
    const char* heard;  // each word ends half a second behind the one before
    double end;
    double silent;
    std::size_t sure;
  };
  for (const Row& row : {
           Row{"nothing is heard", "", 5, 0, 0},
           Row{"the last word may go on", "a b c", 5, 0, 2},
           Row{"the next one has begun, but too near to the end", "a b c", 1.25, 0, 1},
           Row{"just far enough", "a b c", 1.3, 0, 2},
           Row{"a pause follows", "a b c", 1.81, 0.31, 3},
           Row{"a short pause", "a b c", 1.81, 0.2, 2},
           Row{"a pause, but too near to the end", "a b c", 1.71, 0.21, 2},
           Row{"a sign waits for the next word", "a b .", 3, 1, 2},
           Row{"a sign in front of a word", "a . b", 3, 0, 2},
           Row{"a sign alone is no next word", "a .", 3, 0, 0},
       }) {
    EXPECT_EQ(sure_words(align_att, {}, heard_words(row.heard), moment(row.end, row.silent)),
              row.sure)
        << row.name;
  }
}

TEST(SureWords, OfTwoPassesMayBeNearerToTheEnd) {
  struct Row {
    const char* name;
    const char* before;
    const char* heard;
    double end;
    std::size_t sure;
  };
  for (const Row& row : {
           Row{"half of the margin", "a b", "a b", 1.16, 2},
           Row{"less than half", "a b", "a b", 1.14, 1},
           Row{"other words", "a x", "a b", 1.16, 1},
           Row{"other words in front", "x b", "a b", 1.16, 1},
           Row{"written otherwise", "A b,", "a B", 1.16, 2},
           Row{"a word that was not heard before", "a", "a b", 1.16, 1},
       }) {
    EXPECT_EQ(
        sure_words(align_att, heard_words(row.before), heard_words(row.heard), moment(row.end)),
        row.sure)
        << row.name;
  }
}

TEST(SureWords, AreNotImprobableUnlessTwoPassesAgree) {
  auto heard = heard_words("a b c");
  heard[1].word.probability = 0.29;
  EXPECT_EQ(sure_words(align_att, {}, heard, moment(5)), 1u);
  EXPECT_EQ(sure_words(align_att, heard, heard, moment(5)), 3u);
}

TEST(SureWords, OfLocalAgreementAreWhatTwoPassesBeginWith) {
  const auto count = [](const char* before, const char* heard) {
    return sure_words(local_agreement, heard_words(before), heard_words(heard), moment(1, 1));
  };
  EXPECT_EQ(count("", "a b"), 0u);
  EXPECT_EQ(count("a b c", "a b d"), 2u);
  EXPECT_EQ(count("a b", "a b c"), 2u);
  EXPECT_EQ(count("a .", "a ."), 1u);
  EXPECT_EQ(count("a . b", "a . b"), 3u);
  EXPECT_EQ(count("a b", "a . b"), 3u);
  EXPECT_EQ(count("a . b", "a b"), 2u);
}

TEST(SpokenWords, AreAllButImprobableOnesInTheLastSilence) {
  auto heard = heard_words("a b");
  const auto count = [&](const LiveRule& rule, double end, double silent) {
    return spoken_words(rule, heard, moment(end, silent));
  };
  EXPECT_EQ(count(align_att, 1.05, 0.3), 2u);
  heard[1].word.probability = 0.1;
  EXPECT_EQ(count(align_att, 1.05, 0.3), 1u);
  EXPECT_EQ(count(align_att, 1.05, 0.1), 2u) << "somebody may still speak";
  EXPECT_EQ(count(align_att, 1.1, 0.3), 2u) << "not in the very end";
  EXPECT_EQ(count(local_agreement, 1.05, 0.3), 2u);
}

TEST(LiveRule, FollowsTheModelUnlessToldOtherwise) {
  ModelDims base, turbo;
  base.n_audio_layer = base.n_text_layer = 6;
  turbo.n_audio_layer = 32;
  turbo.n_text_layer = 4;
  EXPECT_EQ(live_rule(base, {}).policy, LivePolicy::align_att);
  EXPECT_EQ(live_rule(base, {}).margin_frames, 15);
  EXPECT_EQ(live_rule(base, 25).margin_frames, 25);
  EXPECT_EQ(live_rule(base, 0).policy, LivePolicy::local_agreement);
  EXPECT_EQ(live_rule(turbo, {}).policy, LivePolicy::local_agreement);
  EXPECT_EQ(live_rule(turbo, 10).policy, LivePolicy::align_att);
}

}  // namespace
}  // namespace engine
