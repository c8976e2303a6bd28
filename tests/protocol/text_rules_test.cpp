#include "protocol/text_rules.h"

#include <gtest/gtest.h>

#include <limits>

namespace protocol {
namespace {

TEST(TextRules, StripTakesTheSpacesPythonTakes) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {" \t\r\n\v\f\x1c\x1d\x1e\x1f", ""},
      {" a b ", "a b"},
      {"\xc2\xa0\xe3\x80\x80今日\xe2\x80\xa8\xc2\x85", "今日"},
      {"\xe2\x80\x80\xe2\x80\x8a\xe2\x80\xaf\xe2\x81\x9f\xe1\x9a\x80x", "x"},
      {"\xe2\x80\x8bx\xef\xbb\xbf", "\xe2\x80\x8bx\xef\xbb\xbf"},  // no space to Python
      {"\x1bx\x08", "\x1bx\x08"},
      {"\x80\x80", "\x80\x80"},
  };
  for (const auto& [text, stripped] : cases) EXPECT_EQ(strip(text), stripped);
}

TEST(TextRules, LengthCountsCodePoints) {
  EXPECT_EQ(length(""), 0u);
  EXPECT_EQ(length("naïve"), 5u);
  EXPECT_EQ(length("今日🎙"), 3u);
}

TEST(TextRules, ReplaceAllGoesFromLeftToRight) {
  EXPECT_EQ(replace_all("a-->b---->c", "-->", "->"), "a->b--->c");
  EXPECT_EQ(replace_all("none", "-->", "->"), "none");
}

TEST(TextRules, MillisecondsRoundHalvesToEven) {
  EXPECT_EQ(to_milliseconds(0.0005), 0);
  EXPECT_EQ(to_milliseconds(0.0015), 2);
  EXPECT_EQ(to_milliseconds(0.0025), 2);
  EXPECT_EQ(to_milliseconds(59.9996), 60000);
}

TEST(TextRules, TimesThatMakeNoSenseBecomeSomethingThatDoes) {
  EXPECT_EQ(to_milliseconds(-1), 0);
  EXPECT_EQ(to_milliseconds(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(to_milliseconds(std::numeric_limits<double>::infinity()), 1'000'000'000'000'000);
  EXPECT_EQ(to_milliseconds(1e300), 1'000'000'000'000'000);
}

TEST(TextRules, TimestampsShowHoursAlwaysOrWhereNeeded) {
  EXPECT_EQ(format_timestamp(0, Hours::where_needed, '.'), "00:00.000");
  EXPECT_EQ(format_timestamp(0, Hours::always, ','), "00:00:00,000");
  EXPECT_EQ(format_timestamp(3599.9996, Hours::where_needed, '.'), "01:00:00.000");
  EXPECT_EQ(format_timestamp(360000.02, Hours::always, ','), "100:00:00,020");
  EXPECT_EQ(format_timestamp(1e300, Hours::always, ','), "277777777:46:40,000");
}

}  // namespace
}  // namespace protocol
