#include "protocol/subtitles/function_words.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

TEST(FunctionWords, AreBare) {
  EXPECT_EQ(bare_word("«The"), "the");
  EXPECT_EQ(bare_word("Über,"), "über");
  EXPECT_EQ(bare_word("..."), "");
}

TEST(FunctionWords, OfEachLanguageAreBound) {
  for (const auto& [language, article] : {std::pair{"en", "the"},
                                          {"de", "der"},
                                          {"fr", "les"},
                                          {"es", "una"},
                                          {"pt", "uma"},
                                          {"it", "gli"},
                                          {"ru", "этот"},
                                          {"ar", "هذا"},
                                          {"hi", "एक"}}) {
    EXPECT_TRUE(binding_of(article, language).is_article) << language;
  }
  EXPECT_TRUE(binding_of("of", "en").leads);
  EXPECT_TRUE(binding_of("because", "en").begins_clause);
  EXPECT_TRUE(binding_of("का", "hi").follows);
  EXPECT_TRUE(binding_of("は", "ja").follows);
}

TEST(FunctionWords, OfNoListAreBoundToNothing) {
  EXPECT_EQ(binding_of("house", "en"), WordBinding());
  EXPECT_EQ(binding_of("the", "xx"), WordBinding());
  EXPECT_EQ(binding_of("", "en"), WordBinding());
}

}  // namespace
}  // namespace protocol::subtitles
