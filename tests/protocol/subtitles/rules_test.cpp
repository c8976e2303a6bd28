#include "protocol/subtitles/rules.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

TEST(SubtitleRules, AreThoseOfAllStylesButWhispers) {
  ASSERT_TRUE(rules_of(SubtitleStyle::standard));
  EXPECT_EQ(rules_of(SubtitleStyle::standard)->columns, 42);
  EXPECT_FALSE(rules_of(SubtitleStyle::whisper));
  ASSERT_TRUE(rules_of(SubtitleStyle::netflix));
  EXPECT_EQ(rules_of(SubtitleStyle::netflix)->columns, 42);
  EXPECT_EQ(rules_of(SubtitleStyle::bbc)->columns, 37);
}

TEST(SubtitleRules, OfBroadcastersNeedTimesOfWords) {
  EXPECT_FALSE(times_words(SubtitleStyle::standard));
  EXPECT_FALSE(times_words(SubtitleStyle::whisper));
  EXPECT_TRUE(times_words(SubtitleStyle::netflix));
  EXPECT_TRUE(times_words(SubtitleStyle::bbc));
}

}  // namespace
}  // namespace protocol::subtitles
