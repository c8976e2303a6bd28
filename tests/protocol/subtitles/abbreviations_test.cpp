#include "protocol/subtitles/abbreviations.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

TEST(Abbreviations, BelongToWhatFollows) {
  EXPECT_TRUE(is_abbreviation("Dr.", "Smith", "en"));
  EXPECT_TRUE(is_abbreviation("(Mrs.", "Jones", "en"));
  EXPECT_TRUE(is_abbreviation("No.", "5", "en"));
  EXPECT_TRUE(is_abbreviation("J.", "Kennedy", "en"));
  EXPECT_TRUE(is_abbreviation("z.", "B.", "de"));
  EXPECT_TRUE(is_abbreviation("Hauptstr.", "12.", "de"));
  EXPECT_TRUE(is_abbreviation("a.m.", "on", "en"));
  EXPECT_TRUE(is_abbreviation("U.S.", "Senate", "en"));
}

TEST(Abbreviations, AreNoEndsOfSentences) {
  EXPECT_FALSE(is_abbreviation("No.", "I", "en"));
  EXPECT_FALSE(is_abbreviation("art.", "He", "en"));
  EXPECT_FALSE(is_abbreviation("end.", "Then", "en"));
  EXPECT_FALSE(is_abbreviation("wait...", "what", "en"));
  EXPECT_FALSE(is_abbreviation("I.", "You", "en"));
  EXPECT_FALSE(is_abbreviation("p.m.", "Then", "en"));
  EXPECT_FALSE(is_abbreviation("Dr", "Smith", "en"));
  EXPECT_FALSE(is_abbreviation("done.", "", "en"));
}

TEST(Abbreviations, OrdinalsAreOfSomeLanguages) {
  EXPECT_TRUE(is_abbreviation("3.", "Mai", "de"));
  EXPECT_FALSE(is_abbreviation("3.", "May", "en"));
  EXPECT_FALSE(is_abbreviation("1984.", "Dann", "de"));
}

}  // namespace
}  // namespace protocol::subtitles
