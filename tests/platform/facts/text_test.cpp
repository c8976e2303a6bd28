#include "platform/facts/text.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

using Views = std::vector<std::string_view>;

TEST(Text, TrimTakesBlanksFromBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a::b:", ':'), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split("", ':'), Views{""});
}

TEST(Text, WordsAreWhatIsBetweenBlanks) {
  EXPECT_EQ(words("  MemTotal:   12 kB\n"), (Views{"MemTotal:", "12", "kB"}));
  EXPECT_EQ(words(" \t"), Views{});
}

TEST(Text, NumbersMustFillTheWholeText) {
  EXPECT_EQ(parse_int("42"), 42);
  for (const char* text : {"", "max", "42 kB", "0x10", "99999999999999999999"}) {
    EXPECT_FALSE(parse_int(text)) << text;
  }
}

TEST(Text, HexadecimalMayHaveItsPrefix) {
  EXPECT_EQ(parse_hex16("0x10de"), 0x10de);
  EXPECT_EQ(parse_hex16("10DE"), 0x10de);
  for (const char* text : {"", "0x", "0x10de0", "10dg", "-1"}) EXPECT_FALSE(parse_hex16(text));
}

}  // namespace
}  // namespace platform
