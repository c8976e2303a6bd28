#include "protocol/cue_text.h"

#include <gtest/gtest.h>

#include "protocol/writers.h"

namespace protocol {
namespace {

Cue cue_saying(std::string text, std::string speaker = "") {
  return {.start = 0, .end = 1, .text = std::move(text), .speaker = std::move(speaker)};
}

Cue tidied(std::string text, std::optional<CueMark> underlined = {}) {
  Cue cue = cue_saying(std::move(text));
  cue.underlined = underlined;
  remove_blank_lines(cue);
  return cue;
}

TEST(CueText, HasNoLinesWithoutText) {
  EXPECT_EQ(tidied("\n one\n \n\r\ntwo\r\n").text, " one\ntwo");
  EXPECT_EQ(tidied(" \n ").text, "");
}

TEST(CueText, HasNoOtherSignsThatEndLines) {
  EXPECT_EQ(tidied("a\vb\x1c"
                   "c\u2028d")
                .text,
            "a b c   d");
}

TEST(CueText, KeepsItsMarkWhereLinesAreRemoved) {
  EXPECT_EQ(tidied("\n\none two", CueMark{6, 9}).underlined, (CueMark{4, 7}));
  EXPECT_EQ(tidied("one\n \ntwo", CueMark{4, 5}).underlined, std::nullopt);
}

TEST(CueText, OfSrtHasNoArrowOfTimes) {
  EXPECT_EQ(srt_text(cue_saying("a --> b ---> c -----> d"), false), "a -> b -> c -> d");
  EXPECT_EQ(srt_text(cue_saying("Hi.", "A-->B"), true), "A->B: Hi.");
  EXPECT_EQ(srt_text(cue_saying("a < b & c"), false), "a < b & c");
}

TEST(CueText, OfVttIsEscaped) {
  EXPECT_EQ(vtt_text(cue_saying("If a<b & c --> d"), false), "If a&lt;b &amp; c --&gt; d");
}

TEST(CueText, OfVttHasTheUnderlinedWordWithinTheVoice) {
  Cue cue = cue_saying("a <b> c", "R&D\n>");
  cue.underlined = {2, 5};
  EXPECT_EQ(vtt_text(cue, true), "<v R&amp;D &gt;>a <u>&lt;b&gt;</u> c");
  EXPECT_EQ(vtt_text(cue, false), vtt_text(cue, true));
}

TEST(CueText, TellsALabelInFrontOfTheFirstLine) {
  Cue cue = cue_saying("one\ntwo", "Agent <1>");
  cue.is_channel = true;
  cue.underlined = {4, 7};
  EXPECT_EQ(srt_text(cue, true), "Agent <1>: one\n<u>two</u>");
  EXPECT_EQ(srt_text(cue, false), "one\n<u>two</u>");
  EXPECT_EQ(vtt_text(cue, true), "Agent &lt;1&gt;: one\n<u>two</u>");
  EXPECT_EQ(vtt_text(cue, false), "one\n<u>two</u>");
}

}  // namespace
}  // namespace protocol
