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

TEST(Languages, AreFoundByCodesOfThreeLettersAndByLocales) {
  EXPECT_EQ(language_code("eng"), "en");
  EXPECT_EQ(language_code("fre"), "fr");
  EXPECT_EQ(language_code("fra"), "fr");
  EXPECT_EQ(language_code("nb"), "no");
  EXPECT_EQ(language_code("jv"), "jw");
  EXPECT_EQ(language_code("pt-BR"), "pt");
  EXPECT_EQ(language_code("zh_Hans_CN"), "zh");
  EXPECT_EQ(language_code("deu-AT"), "de");
  EXPECT_FALSE(language_code("und"));
  EXPECT_FALSE(language_code("xx-DE"));
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
