#include "server/jobs/text_find.h"

#include <gtest/gtest.h>

#include <random>

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

// Comparing at each place anew would take hours.
TEST(TextFind, ALongTextIsSearchedForALongOneInLinearTime) {
  constexpr std::size_t letters = 1'000'000;
  const std::string text(letters, 'a'), wanted = std::string(letters / 2, 'a') + 'b';
  EXPECT_EQ(find_in(text, wanted, {}), Spans{});
  EXPECT_EQ(find_in(text, wanted, any_case), Spans{});
  EXPECT_EQ(find_in(text + 'b', wanted, {}), (Spans{{letters / 2, letters + 1}}));
}

TEST(TextFind, FindsWhatALookAtEachPlaceFinds) {
  std::mt19937 random(7);
  const auto word = [&](std::size_t most) {
    std::string made;
    for (std::size_t i = random() % most + 1; i > 0; --i) made += "ab "[random() % 3];
    return made;
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string text = word(40), wanted = word(5);
    Spans expected;
    for (auto at = text.find(wanted); at != text.npos; at = text.find(wanted, at + wanted.size())) {
      expected.push_back({at, at + wanted.size()});
    }
    ASSERT_EQ(find_in(text, wanted, {}), expected) << text << "|" << wanted;
    ASSERT_EQ(find_in(text, wanted, any_case), expected) << text << "|" << wanted;
  }
}

TEST(TextFind, APlaceThatDoesNotFitHidesNoneThatOverlapsIt) {
  EXPECT_EQ(find_in("xaa aa", "aa a", {}), (Spans{{1, 5}}));
  EXPECT_EQ(find_in("baaa aaa", "aaa", {.whole_words = true}), (Spans{{5, 8}}));
  EXPECT_EQ(find_in("aa.a a.a", "a.a", {.whole_words = true}), (Spans{{5, 8}}));
}

TEST(TextFind, ReplacesThesePlaces) {
  const std::string text = " the AAAF and 😀 AAAF";
  EXPECT_EQ(replaced(text, find_in(text, "AAAF", {}), "IIIF"), " the IIIF and 😀 IIIF");
  EXPECT_EQ(replaced(text, {}, "x"), text);
  EXPECT_EQ(replaced("über", find_in("über", "über", {}), ""), "");
}

}  // namespace
}  // namespace server
