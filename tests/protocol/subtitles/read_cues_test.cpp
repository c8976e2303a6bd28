#include "protocol/subtitles/read_cues.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

TEST(ReadCues, ReadsSrt) {
  const auto cues = read_cues(
                        "\xef\xbb\xbf"
                        "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>One</i>\r\n{\\an8}two\r\n\r\n"
                        "2\n01:00:00,007 --> 00:00:03,000\na < b & c\n")
                        .value();
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_EQ(cues[0].cue, (Cue{.start = 1, .end = 2.5, .text = "One\ntwo"}));
  EXPECT_EQ(cues[0].line, 2);
  EXPECT_EQ(cues[1].number, 2);
  EXPECT_EQ(cues[1].cue, (Cue{.start = 3600.007, .end = 3, .text = "a < b & c"}));
}

TEST(ReadCues, ReadsVtt) {
  const auto cues = read_cues(
                        "WEBVTT - a title\n\nNOTE nothing\n\nname\n00:01.000 --> 00:02.500 "
                        "align:start\n<v Ann>If a &lt; b <u>then</u> &amp;amp;\n\n")
                        .value();
  ASSERT_EQ(cues.size(), 1u);
  EXPECT_EQ(cues[0].cue,
            (Cue{.start = 1, .end = 2.5, .text = "If a < b then &amp;", .speaker = "Ann"}));
}

TEST(ReadCues, KeepsWhatLooksLikeATagAndHasNoEnd) {
  const auto cues = read_cues("00:01.000 --> 00:02.500\n{\\i1}<b>a</b> {\\ b} <i c\n").value();
  ASSERT_EQ(cues.size(), 1u);
  EXPECT_EQ(cues[0].cue.text, "a  <i c");
}

// A way that looks for the end of each tag would not come to an end.
TEST(ReadCues, ReadsMillionsOfTagsWithoutEnds) {
  std::string text;
  for (int i = 0; i < 2'000'000; ++i) text += i % 2 == 0 ? "<b" : "{\\";
  const auto cues = read_cues("00:01.000 --> 00:02.500\n" + text + "\n").value();
  ASSERT_EQ(cues.size(), 1u);
  EXPECT_EQ(cues[0].cue.text, text);
}

TEST(ReadCues, ReadsNothingFromVttThatHasNoCue) {
  EXPECT_TRUE(read_cues("WEBVTT\n\n").value().empty());
}

TEST(ReadCues, RefusesAnEmptyFile) {
  for (const char* text : {"", "\n\n"}) {
    EXPECT_EQ(read_cues(text).error().message, "it is empty") << text;
  }
}

TEST(ReadCues, NamesUtf16) {
  for (const std::string_view text : {std::string_view("\xff\xfe"
                                                       "1\0\n\0",
                                                       6),
                                      std::string_view("\xfe\xff\0"
                                                       "1\0\n",
                                                       6)}) {
    const auto cues = read_cues(text);
    ASSERT_FALSE(cues);
    EXPECT_EQ(cues.error().code, not_subtitles);
    EXPECT_EQ(cues.error().message, "it is in UTF-16");
    EXPECT_EQ(cues.error().fix, "Save it as UTF-8.");
  }
}

TEST(ReadCues, NoteTheSignOfTheOtherFormat) {
  const auto sign_of = [](const std::string& text) {
    return read_cues(text).value()[0].wrong_sign;
  };
  const std::string head = "WEBVTT\n\n";
  EXPECT_EQ(sign_of("00:00:01,000 --> 00:00:02,500\na\n"), 0);
  EXPECT_EQ(sign_of("00:00:01.000 --> 00:00:02.500\na\n"), '.');
  EXPECT_EQ(sign_of("00:00:01,000 --> 00:00:02.500\na\n"), '.');
  EXPECT_EQ(sign_of(head + "00:01.000 --> 00:02.500 line:1,start\na, b\n"), 0);
  EXPECT_EQ(sign_of(head + "00:01,000 --> 00:02,500\na\n"), ',');
}

TEST(ReadCues, RefusesWhatHasNoTimes) {
  EXPECT_EQ(read_cues("{\"text\": \"no subtitles\"}").error().code, not_subtitles);
  EXPECT_EQ(read_cues("1\n00:01 --> later\ntext\n").error().code, not_subtitles);
}

}  // namespace
}  // namespace protocol::subtitles
