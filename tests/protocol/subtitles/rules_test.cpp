#include "protocol/subtitles/rules.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

TEST(SubtitleRules, AreThoseOfBroadcastersAlone) {
  EXPECT_FALSE(rules_of(SubtitleStyle::standard));
  EXPECT_FALSE(rules_of(SubtitleStyle::whisper));
  ASSERT_TRUE(rules_of(SubtitleStyle::netflix));
  EXPECT_EQ(rules_of(SubtitleStyle::netflix)->columns, 42);
  EXPECT_EQ(rules_of(SubtitleStyle::bbc)->columns, 37);
}

}  // namespace
}  // namespace protocol::subtitles
