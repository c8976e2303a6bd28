#include "protocol/languages.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

TEST(Languages, AreAHundredInTheOrderOfTheirTokens) {
  ASSERT_EQ(languages().size(), 100U);
  EXPECT_EQ(languages()[0].code, "en");
  EXPECT_EQ(languages()[1].code, "zh");
  EXPECT_EQ(languages()[98].code, "su");
  EXPECT_EQ(languages()[99].code, "yue");
}

TEST(Languages, AreFoundByCodeNameAndOtherName) {
  EXPECT_EQ(language_code("de"), "de");
  EXPECT_EQ(language_code("German"), "de");
  EXPECT_EQ(language_code("Castilian"), "es");
  EXPECT_EQ(language_code("haitian creole"), "ht");
  EXPECT_EQ(language_code("YUE"), "yue");
}

TEST(Languages, UnknownOnesAreNotFound) {
  EXPECT_FALSE(language_code("klingon"));
  EXPECT_FALSE(language_code(""));
  EXPECT_EQ(language_name("xx"), "");
}

TEST(Languages, HaveNames) {
  EXPECT_EQ(language_name("jw"), "javanese");
}

}  // namespace
}  // namespace protocol
