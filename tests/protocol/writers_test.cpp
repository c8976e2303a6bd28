#include "protocol/writers.h"

#include <gtest/gtest.h>

#include <limits>

namespace protocol {
namespace {

Segment said(double start, double end, std::string text) {
  return {.start = start, .end = end, .text = std::move(text)};
}

// Returns the outputs of begin, of each segment and of finish.
std::vector<std::string> pieces(std::string_view format, const Transcript& transcript) {
  auto writer = make_writer(format).value();
  std::vector<std::string> all{writer->begin({})};
  for (const auto& segment : transcript.segments) all.push_back(writer->segment(segment));
  all.push_back(writer->finish(transcript));
  return all;
}

Transcript two_segments() {
  Transcript transcript;
  transcript.segments = {said(0, 1.5, " One."), said(61, 3600, " Two.")};
  return transcript;
}

TEST(Writers, TextFormatsGiveEachSegmentAsItComes) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(pieces("txt", two_segments()), (Pieces{"", "One.\n", "Two.\n", ""}));
  EXPECT_EQ(pieces("tsv", two_segments()),
            (Pieces{"start\tend\ttext\n", "0\t1500\tOne.\n", "61000\t3600000\tTwo.\n", ""}));
  EXPECT_EQ(pieces("srt", two_segments()),
            (Pieces{"", "1\n00:00:00,000 --> 00:00:01,500\nOne.\n\n",
                    "2\n00:01:01,000 --> 01:00:00,000\nTwo.\n\n", ""}));
  EXPECT_EQ(pieces("vtt", two_segments()),
            (Pieces{"WEBVTT\n\n", "00:00.000 --> 00:01.500\nOne.\n\n",
                    "01:01.000 --> 01:00:00.000\nTwo.\n\n", ""}));
  EXPECT_EQ(pieces("lrc", two_segments()),
            (Pieces{"[by:scribed]\n", "[00:00.00] One.\n", "[01:01.00] Two.\n", ""}));
}

TEST(Writers, JsonComesAtTheEnd) {
  const auto all = pieces("json", two_segments());
  for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_EQ(all[i], "");
  EXPECT_TRUE(all.back().starts_with("{\"text\": "));
}

TEST(Writers, SubtitlesWithWordTimesComeAtTheEnd) {
  Transcript transcript;
  transcript.segments = {said(0, 1, " One.")};
  transcript.segments[0].words = {{0.25, 0.5, " One.", 1}};
  auto writer = make_writer("srt").value();
  EXPECT_EQ(writer->begin({.words = true}), "");
  EXPECT_EQ(writer->segment(transcript.segments[0]), "");
  EXPECT_EQ(writer->finish(transcript), "1\n00:00:00,250 --> 00:00:00,500\nOne.\n\n");
}

TEST(Writers, AssHasALineForEachCueWithItsSpeaker) {
  Transcript transcript;
  transcript.segments = {{.start = 1, .end = 2.5, .text = " Hello."},
                         {.start = 3661.239, .end = 3661.24, .text = " Bye."}};
  transcript.segments[0].speaker = "Ann, A.";
  const std::string ass = write_transcript("ass", transcript).value();
  EXPECT_TRUE(ass.starts_with("[Script Info]\n"));
  EXPECT_NE(ass.find("\nStyle: Default,"), ass.npos);
  EXPECT_NE(ass.find("\nDialogue: 0,0:00:01.00,0:00:02.50,Default,Ann; A.,0,0,0,,Ann, A.: Hello.\n"
                     "Dialogue: 0,1:01:01.23,1:01:01.24,Default,,0,0,0,,Bye.\n"),
            ass.npos)
      << ass;
}

TEST(Writers, AssHasKaraokeForHighlightedWords) {
  Transcript transcript;
  transcript.segments = {{.start = 1, .end = 2, .text = " Hello you."}};
  transcript.segments[0].words = {{1, 1.4, " Hello", 1}, {1.5, 2, " you.", 1}};
  const auto ass = write_transcript("ass", transcript, {.highlight_words = true}).value();
  EXPECT_NE(ass.find(",,{\\k50}Hello {\\k50}you.\n"), ass.npos) << ass;
  EXPECT_EQ(ass.find("Hello", ass.find("Hello") + 1), ass.npos) << "one cue";
}

TEST(Writers, LrcCutsToHundredthsAndHasNoHours) {
  Transcript transcript;
  transcript.segments = {said(3661.239, 3662, " Late\nline")};
  EXPECT_EQ(write_transcript("lrc", transcript).value(), "[by:scribed]\n[61:01.23] Late line\n");
}

TEST(Writers, LineLimitsThatAreNotPositiveAreNoLimits) {
  Transcript transcript;
  transcript.segments = {said(0, 1, " a b")};
  transcript.segments[0].words = {{0, 0.5, " a", 1}, {0.5, 1, " b", 1}};
  const WriterOptions none{.max_line_width = 0, .max_line_count = -1, .max_words_per_line = 0};
  EXPECT_EQ(write_transcript("vtt", transcript, none).value(),
            write_transcript("vtt", transcript).value());
}

TEST(Writers, TimesThatAreNotFiniteDoNotBreakAFile) {
  Transcript transcript;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  transcript.segments = {said(nan, nan, " x")};
  EXPECT_EQ(write_transcript("tsv", transcript).value(), "start\tend\ttext\n0\t0\tx\n");
  EXPECT_NE(write_transcript("json", transcript).value().find("\"start\": null"),
            std::string::npos);
}

TEST(Writers, AnUnknownFormatIsRefusedWithThoseThatAreKnown) {
  const auto writer = make_writer("docx");
  ASSERT_TRUE(writer.has_error());
  EXPECT_EQ(writer.error(), Error("unknown_format", "unknown transcript format 'docx'",
                                  "use txt, srt, vtt, ass, tsv, json, lrc or rttm"));
  for (const auto format : writer_formats()) {
    EXPECT_TRUE(make_writer(format).has_value()) << format;
    EXPECT_NE(writer.error().fix.find(format), std::string::npos) << format;
  }
}

}  // namespace
}  // namespace protocol
