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

TEST(CueText, OfSrtHasNoArrowOfTimesWhateverIsAround) {
  EXPECT_EQ(srt_text(cue_saying("-->> -> --- >-->--> -- > --->---"), false),
            "->> -> --- >->-> -- > ->---");
}

// A way that takes a dash at a time would not come to an end.
TEST(CueText, OfSrtIsWrittenAtOnceWhereMillionsOfDashesAreAnArrow) {
  EXPECT_EQ(srt_text(cue_saying(std::string(4'000'000, '-') + ">"), false), "->");
}

TEST(CueText, OfManyLinesKeepsTheBeginningsOfManyWords) {
  Cue cue = cue_saying("");
  for (std::size_t i = 0; i < 200'000; ++i) {
    cue.words.push_back({cue.text.size(), 0});
    cue.text += "a\n";
  }
  const auto words = cue.words;
  remove_blank_lines(cue);
  EXPECT_EQ(cue.words, words);
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

TEST(CueText, OfTwoWhoSpeakAtOnceHasADashAndASpeakerInEachLine) {
  Cue cue = cue_saying("How are you?", "Ann");
  cue.reply = CueReply{.text = "A --> <b>.", .speaker = "R&D"};
  EXPECT_EQ(srt_text(cue, false), "- Ann: How are you?\n- R&D: A -> <b>.");
  EXPECT_EQ(vtt_text(cue, false),
            "<v Ann>- How are you?</v>\n<v R&amp;D>- A --&gt; &lt;b&gt;.</v>");
  EXPECT_EQ(ass_text(cue, false), "- Ann: How are you?\\N- R&D: A --> <b>.");
  EXPECT_EQ(shown_lines(cue), "- How are you?\n- A --> <b>.");
  cue.is_channel = cue.reply->is_channel = true;
  EXPECT_EQ(vtt_text(cue, false), "- Ann: How are you?\n- R&amp;D: A --&gt; &lt;b&gt;.");
  cue.speaker = cue.reply->speaker = "";
  EXPECT_EQ(srt_text(cue, true), "- How are you?\n- A -> <b>.");
  EXPECT_EQ(vtt_text(cue, true), "- How are you?\n- A --&gt; &lt;b&gt;.");
}

TEST(CueText, OfAssHasNoCommandsButItsOwn) {
  EXPECT_EQ(ass_text(cue_saying("one {\\b1}two}\nC:\\new"), false),
            "one (\\\u2060b1)two)\\NC:\\\u2060new");
  EXPECT_EQ(ass_text(cue_saying("Hi.", "Ann"), true), "Ann: Hi.");
}

TEST(CueText, OfAssTellsHowLongEachWordIs) {
  Cue cue{.start = 1, .end = 3, .text = "And so\nit begins.", .speaker = "Ann"};
  cue.words = {{0, 1.25}, {4, 1.5}, {7, 1.5}, {10, 2}};
  EXPECT_EQ(ass_text(cue, true), "Ann: {\\k25}{\\k25}And {\\k0}so\\N{\\k50}it {\\k100}begins.");
  cue.end = 1.6;
  EXPECT_EQ(ass_text(cue, false), "{\\k25}{\\k25}And {\\k0}so\\N{\\k10}it {\\k0}begins.")
      << "it had to make room";
}

TEST(CueText, KeepsTheBeginningsOfWordsWhereLinesAreRemoved) {
  Cue cue = cue_saying("\n\none two");
  cue.words = {{2, 0}, {6, 1}};
  remove_blank_lines(cue);
  EXPECT_EQ(cue.words, (std::vector<CueWord>{{0, 0}, {4, 1}}));
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
