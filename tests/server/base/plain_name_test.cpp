#include "server/base/plain_name.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(PlainName, IsWhatPeopleCallTheirFiles) {
  for (const char* name :
       {"", "talk.wav", "na\xC3\xAFve \xE2\x80\x93 \xE2\x80\xA6.mp3",
        "\xE4\xBC\x9A\xE8\xAD\xB0.flac", "\xF0\x9F\x8E\x99.ogg",
        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D\xE2\x80\x8F.wav", "a\xFF\xED\xA0.wav"}) {
    EXPECT_EQ(plain_name(name), name);
  }
}

TEST(PlainName, SteersNoTerminalAndBeginsNoLine) {
  EXPECT_EQ(plain_name("\x1b]0;owned\x07\x1b[31mred\r\nforged\x7f.wav"),
            "]0;owned[31mredforged.wav");
  EXPECT_EQ(plain_name(std::string_view("a\0b\tc", 5)), "abc");
  EXPECT_EQ(plain_name("a\xC2\x9B"
                       "31m\xC2\x80\xC2\x9F"),
            "a31m")
      << "C1 in UTF-8";
  EXPECT_EQ(plain_name("a\x9B"
                       "31m"),
            "a31m")
      << "C1 in Latin-1";
  EXPECT_EQ(plain_name("a\xE2\x80\xA8"
                       "b\xE2\x80\xA9"
                       "c"),
            "abc")
      << "lines and paragraphs";
}

TEST(PlainName, IsReadInTheOrderOfItsLetters) {
  EXPECT_EQ(plain_name("gpj.\xE2\x80\xAE"
                       "wav"),
            "gpj.wav");
  EXPECT_EQ(plain_name("\xE2\x80\xAA"
                       "a\xE2\x81\xA6"
                       "b\xE2\x81\xA9"),
            "ab");
}

TEST(PlainName, StaysPlainHoweverItIsCut) {
  for (const char* name :
       {"\xE2\x1b\x80\x1b\xA8", "\xE2\x80\x1b\xAE", "\xC2\x1b\x9B", "\xE2\x80"}) {
    const std::string once = plain_name(name);
    EXPECT_EQ(plain_name(once), once);
    EXPECT_EQ(once.find_first_of("\x1b\x80\x9B"), std::string::npos);
  }
}

}  // namespace
}  // namespace server
