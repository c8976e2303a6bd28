#include "server/mcp/tools/transcript_search.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::vector<protocol::Segment> spoken(const std::vector<std::string>& texts) {
  std::vector<protocol::Segment> segments;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    segments.push_back({.id = int(i), .start = double(i) * 10, .text = texts[i]});
  }
  return segments;
}

bool finds(const std::string& query, const std::string& title,
           const std::vector<std::string>& texts) {
  return TranscriptSearch(query).look(title, spoken(texts), 3).all;
}

TEST(TranscriptSearch, WantsAllWordsAnywhereInAnyLetterCase) {
  const std::vector<std::string> talk{" The BUDGET is", " too small for Marketing."};
  EXPECT_TRUE(finds("budget", "a.wav", talk));
  EXPECT_TRUE(finds("  marketing   Budget\n", "a.wav", talk));
  EXPECT_FALSE(finds("budget sales", "a.wav", talk));
  EXPECT_TRUE(finds("budget q3", "Q3 review.wav", talk)) << "the title counts, too";
  EXPECT_TRUE(finds("ПРИВЕТ", "", {" привет, мир"}));
  EXPECT_TRUE(finds("strasse", "", {" Hauptstraße 5"}));
  EXPECT_TRUE(finds("会議", "", {"今日の会議は"})) << "there are no spaces";
  EXPECT_TRUE(TranscriptSearch(" \n\t").is_empty());
}

TEST(TranscriptSearch, GivesThePassagesThatHaveMostOfTheWordsInTheirOrder) {
  const auto found = TranscriptSearch("red green")
                         .look("",
                               spoken({"red", "green", "blue", "red and green",
                                       std::string(1000, 'x') + " green red"}),
                               3);
  ASSERT_EQ(found.passages.size(), 3u);
  EXPECT_EQ(found.passages[0].offset, 0);
  EXPECT_EQ(found.passages[1].offset, 3);
  EXPECT_EQ(found.passages[1].start, 30);
  EXPECT_EQ(found.passages[2].offset, 4);
  EXPECT_LE(found.passages[2].text.size(), 300u);
}

TEST(TranscriptSearch, TheNameOfWhoSpeaksCounts) {
  auto segments = spoken({"We need a budget.", "No."});
  segments[0].speaker = "Anna";
  segments[1].speaker = "Bob";
  const auto found = TranscriptSearch("anna budget").look("", segments, 3);
  ASSERT_EQ(found.passages.size(), 1U);
  EXPECT_EQ(found.passages[0].speaker, "Anna");
  EXPECT_FALSE(TranscriptSearch("carl").look("", segments, 3).all);
}

}  // namespace
}  // namespace server
