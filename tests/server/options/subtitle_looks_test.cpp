#include "server/options/subtitle_looks.h"

#include <gtest/gtest.h>

#include "protocol/subtitles/layout.h"

namespace server {
namespace {

using protocol::SubtitleStyle;

TEST(SubtitleLooks, LeaveTheStyleOfTheJobWhereNoneIsWanted) {
  const auto job = protocol::with_style({.recording = "talk"}, SubtitleStyle::netflix);
  const auto written = with_looks(job, {.lines = {.max_line_width = 30, .highlight_words = true}});
  EXPECT_TRUE(written.layout);
  EXPECT_FALSE(written.layout_yields);
  EXPECT_EQ(written.max_line_width, 30);
  EXPECT_TRUE(written.highlight_words);
  EXPECT_EQ(written.recording, "talk");
}

TEST(SubtitleLooks, ReplaceTheStyleOfTheJob) {
  const auto job = protocol::with_style({}, SubtitleStyle::netflix);
  EXPECT_FALSE(with_looks(job, {.style = SubtitleStyle::whisper}).layout);
  EXPECT_TRUE(with_looks(job, {.style = SubtitleStyle::standard}).layout_yields);
}

}  // namespace
}  // namespace server
