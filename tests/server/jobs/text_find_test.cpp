#include "server/jobs/text_find.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Spans = std::vector<TextSpan>;

constexpr FindRule any_case{.match_case = false};

TEST(TextFind, FindsPlacesFromLeftToRight) {
  EXPECT_EQ(find_in("aaa lamp aaa", "aa", {}), (Spans{{0, 2}, {9, 11}}));
  EXPECT_EQ(find_in("lamp", "Lamp", {}), Spans{});
  EXPECT_EQ(find_in("lamp", "", {}), Spans{});
}

TEST(TextFind, LettersOfAnyScriptCountInEitherCase) {
  EXPECT_EQ(find_in("the LAMP", "lamp", any_case), (Spans{{4, 8}}));
  EXPECT_EQ(find_in("GRÜSSE", "grüße", any_case), (Spans{{0, 6}}));
  EXPECT_EQ(find_in("Straße", "STRASSE", any_case), (Spans{{0, 6}}));
  EXPECT_EQ(find_in("Привет", "ПРИВЕТ", any_case), (Spans{{0, 6}}));
}

TEST(TextFind, NoPlaceBeginsInsideALetter) {
  EXPECT_EQ(find_in("ß", "s", any_case), Spans{});
  EXPECT_EQ(find_in("ßs", "s", any_case), (Spans{{1, 2}}));
}

TEST(TextFind, CountsUnitsOfUtf16) {
  EXPECT_EQ(find_in("😀 lamp", "lamp", {}), (Spans{{3, 7}}));
  EXPECT_EQ(find_in("東京の灯", "灯", {}), (Spans{{3, 4}}));
}

TEST(TextFind, AWholeWordHasNoLetterBesideIt) {
  const FindRule whole{.match_case = true, .whole_words = true};
  EXPECT_EQ(find_in("lamps, lamp. über lampe", "lamp", whole), (Spans{{7, 11}}));
  EXPECT_EQ(find_in("über", "ber", whole), Spans{});
  EXPECT_EQ(find_in("C++ and C", "C++", whole), (Spans{{0, 3}}));
}

TEST(TextFind, ReplacesThesePlaces) {
  const std::string text = " the AAAF and 😀 AAAF";
  EXPECT_EQ(replaced(text, find_in(text, "AAAF", {}), "IIIF"), " the IIIF and 😀 IIIF");
  EXPECT_EQ(replaced(text, {}, "x"), text);
  EXPECT_EQ(replaced("über", find_in("über", "über", {}), ""), "");
}

}  // namespace
}  // namespace server
