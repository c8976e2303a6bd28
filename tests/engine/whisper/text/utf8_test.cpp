#include "engine/whisper/text/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace engine {
namespace {

TEST(ReplaceInvalidUtf8, CountsAsPythonDoes) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {"\x80", "\uFFFD"},
      {"\xC0\x80", "\uFFFD\uFFFD"},            // overlong
      {"\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD"},  // overlong
      {"\xE2\x82", "\uFFFD"},                  // unfinished
      {"\xE2\x82z", "\uFFFDz"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},  // surrogate
      {"\xF0\x9F\x98", "\uFFFD"},              // unfinished
      {"\xF0\x9F\x98\xF0\x9F", "\uFFFD\uFFFD"},
      {"\xF0\x80\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // overlong
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // above U+10FFFF
      {"\xF5\xFF", "\uFFFD\uFFFD"},
      {"\xC3\xC3\xA9", "\uFFFD\xC3\xA9"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(replace_invalid_utf8(bytes), text);
}

TEST(Utf8Holdback, WaitsForTheRestOfACharacter) {
  Utf8Holdback held;
  EXPECT_EQ(held.push("a\xF0\x9F"), "a");
  EXPECT_EQ(held.push("\x98"), "");
  EXPECT_EQ(held.push("\x80!"), "\xF0\x9F\x98\x80!");
  EXPECT_EQ(held.flush(), "");
}

TEST(Utf8Holdback, GivesUpWhatCannotBeCompleted) {
  Utf8Holdback held;
  EXPECT_EQ(held.push("\xE2"), "");
  EXPECT_EQ(held.push("z"), "\uFFFDz");
  EXPECT_EQ(held.push("\xE2\x82"), "");
  EXPECT_EQ(held.flush(), "\uFFFD");
  EXPECT_EQ(held.push("b"), "b");
}

TEST(Utf8Holdback, JoinedEqualsTheWholeHoweverItIsCut) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 12; ++i)
      bytes += "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\xED\xF4\x90"[random() % 12];
    Utf8Holdback held;
    std::string joined;
    for (size_t at = 0; at < bytes.size();) {
      const size_t length = 1 + random() % 3;
      joined += held.push(std::string_view(bytes).substr(at, length));
      at += length;
    }
    joined += held.flush();
    ASSERT_EQ(joined, replace_invalid_utf8(bytes));
  }
}

TEST(ToCodePoints, ReadsEveryLength) {
  EXPECT_EQ(to_code_points("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), U"a\u00E9\u20AC\U0001F600");
}

}  // namespace
}  // namespace engine
