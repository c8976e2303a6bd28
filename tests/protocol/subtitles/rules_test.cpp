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

TEST(SubtitleRules, WhatIsLaidOutNeedsTheTimesOfWords) {
  for (const auto style : {SubtitleStyle::netflix, SubtitleStyle::bbc}) {
    EXPECT_TRUE(is_of_broadcaster(style));
    EXPECT_TRUE(needs_word_times({.subtitle_style = style}, "txt"));
  }
  for (const char* format : {"srt", "vtt", "ass"}) {
    EXPECT_TRUE(needs_word_times({}, format)) << format;
    EXPECT_FALSE(needs_word_times({.subtitle_style = SubtitleStyle::whisper}, format));
    EXPECT_FALSE(needs_word_times({.task = Task::translate}, format));
    EXPECT_FALSE(needs_word_times({.without_timestamps = true}, format));
  }
  for (const char* format : {"txt", "json", "verbose_json", "lrc", ""}) {
    EXPECT_FALSE(needs_word_times({}, format)) << format;
  }
}

}  // namespace
}  // namespace protocol::subtitles
