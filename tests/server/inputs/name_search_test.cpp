#include "server/inputs/name_search.h"

#include <gtest/gtest.h>

#include <string>

namespace server {
namespace {

TEST(NameSearches, MatchLettersInEitherCase) {
  EXPECT_TRUE(NameSearch("meeting").matches("Team MEETING.wav"));
  EXPECT_TRUE(NameSearch("F\u00c9.WAV").matches("caf\u00c9.wav"));
  EXPECT_TRUE(NameSearch("").matches("talk.wav"));
  EXPECT_FALSE(NameSearch("meetings").matches("meeting.wav"));
}

TEST(NameSearches, FindWhatBeginsLikeTheTextAgainAndAgain) {
  const std::string text = std::string(127, 'a') + "b";
  EXPECT_TRUE(NameSearch(text).matches(std::string(128, 'a') + "b"));
  EXPECT_FALSE(NameSearch(text).matches(std::string(255, 'a')));
}

}  // namespace
}  // namespace server
