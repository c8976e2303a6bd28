#include "protocol/subtitles/layout.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "protocol/subtitle_cues.h"

namespace protocol {
namespace {

Segment said_by(std::string speaker, double start, double end, std::string text) {
  Segment segment{.start = start, .end = end, .text = std::move(text)};
  segment.speaker = std::move(speaker);
  return segment;
}

std::string laid_out(const char* format, std::vector<Segment> segments, SubtitleStyle style) {
  Transcript transcript;
  transcript.segments = std::move(segments);
  transcript.language = "en";
  return write_transcript(format, transcript, {.layout = layout_of(style)}).value();
}

const std::vector talk{
    said_by("A", 0, 3.5, " The meeting was moved to the end of next week."),
    said_by("A", 3.5, 4, " Really?"),
    said_by("B", 5, 5.2, " Yes, because --> & <b>."),
};

TEST(Layout, BreaksAndPacesWhatEachSpeakerSays) {
  EXPECT_EQ(laid_out("srt", talk, SubtitleStyle::netflix),
            "1\n00:00:00,000 --> 00:00:04,000\n"
            "A: The meeting was moved\nto the end of next week. Really?\n\n"
            "2\n00:00:05,000 --> 00:00:06,150\nB: Yes, because -> & <b>.\n\n");
}

TEST(Layout, KeepsVoicesAndEscapesInVtt) {
  const std::string vtt = laid_out("vtt", talk, SubtitleStyle::bbc);
  EXPECT_NE(vtt.find("<v A>The meeting was moved\nto the end of next week. Really?\n"), vtt.npos);
  EXPECT_NE(vtt.find("<v B>Yes, because --&gt; &amp; &lt;b&gt;.\n"), vtt.npos) << vtt;
}

TEST(Layout, OfWhisperIsThatWithoutAStyle) {
  EXPECT_FALSE(layout_of(SubtitleStyle::whisper));
  EXPECT_NE(laid_out("srt", talk, SubtitleStyle::whisper)
                .find("A: The meeting was moved to the end of next week.\n"),
            std::string::npos);
}

TEST(Layout, OfTheDefaultYieldsToOptionsOfLines) {
  const std::string sentence = "The meeting was moved to the end of next week, too.";
  Transcript transcript;
  transcript.segments = {said_by("", 0, 3, " The meeting was moved to the end of next week, too.")};
  transcript.segments[0].words = {{0, 1, " The meeting was moved to the end", 1},
                                  {1, 3, " of next week, too.", 1}};
  const auto lines = [&](WriterOptions options, SubtitleStyle style) {
    return write_transcript("srt", transcript, with_style(std::move(options), style)).value();
  };
  EXPECT_EQ(lines({}, SubtitleStyle::standard).find(sentence), std::string::npos);
  EXPECT_NE(lines({.max_line_width = 90}, SubtitleStyle::standard).find(sentence),
            std::string::npos);
  EXPECT_EQ(lines({.max_line_width = 90}, SubtitleStyle::netflix).find(sentence),
            std::string::npos);
}

TEST(Layout, OfTheDefaultStaysWhereWordsHaveNoTimes) {
  Transcript transcript;
  transcript.segments = {said_by("", 0, 3, " The meeting was moved to the end of next week, too.")};
  const auto lines = [&](const WriterOptions& options) {
    return write_transcript("srt", transcript, with_style(options, SubtitleStyle::standard))
        .value();
  };
  EXPECT_EQ(lines({.max_line_width = 30, .max_line_count = 1}), lines({}));
}

TEST(Layout, KeepsRoomForTheNameOfASpeaker) {
  const std::string name(20, 'N');
  const auto srt = laid_out("srt", {said_by(name, 0, 5, " It was moved to the end of next week.")},
                            SubtitleStyle::standard);
  EXPECT_NE(srt.find(name + ": It was moved\nto the end of next week.\n"), srt.npos) << srt;
}

// Returns the longest line of a file in srt, in characters of ASCII.
std::size_t longest_line(const std::string& srt) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < srt.size();) {
    const std::size_t end = std::min(srt.find('\n', at), srt.size());
    if (srt.substr(at, end - at).find("-->") == srt.npos) longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

TEST(Layout, KeepsRoomForANameThatIsToldAgainAfterOthers) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += " It was moved to the end of next week.";
  const std::vector both{said_by("SPEAKER_00", 0, 60, text), said_by("SPEAKER_01", 9, 10, " Yes."),
                         said_by("SPEAKER_01", 30, 31, " No, I do not believe you, my friend.")};
  const std::string srt = laid_out("srt", both, SubtitleStyle::standard);
  EXPECT_LE(longest_line(srt), 42u) << srt;
  const auto first = srt.find("SPEAKER_00: ");
  EXPECT_NE(srt.find("SPEAKER_00: ", first + 1), srt.npos) << "it is told again";
}

TEST(Layout, ReadsNoLabel) {
  const std::string name(20, 'N');
  // 2 s are enough for 40 characters, and not for 62.
  const std::vector said{said_by(name, 0, 2.1, " The meeting is at the end of next week."),
                         said_by("B", 2.1, 4, " The meeting is at the end of the week.")};
  const std::string srt = laid_out("srt", said, SubtitleStyle::standard);
  EXPECT_NE(srt.find(name + ": The meeting\nis at the end of next week.\n"), srt.npos) << srt;
}

TEST(Layout, SpreadsWordsWithoutALength) {
  Transcript transcript;
  transcript.language = "en";
  transcript.duration = 20;
  Segment segment{.start = 0, .end = 12};
  const auto add = [&](const char* word, double start, double end) {
    segment.words.push_back({start, end, word, 1});
    segment.text += word;
  };
  for (int i = 0; i < 12; ++i) add(" before", 0.4 * i, 0.4 * i + 0.4);
  for (int i = 0; i < 30; ++i) add(" nothing", 4.8, 4.8);
  for (int i = 0; i < 12; ++i) add(" after", 4.8 + 0.4 * i, 5.2 + 0.4 * i);
  transcript.segments = {segment};
  double last = 0;
  for (const Cue& cue : layout_of(SubtitleStyle::standard)(transcript, {})) {
    EXPECT_GE(cue.start, last) << cue.text;
    EXPECT_GE(cue.end - cue.start, 0.5) << cue.text;
    last = cue.end;
  }
}

TEST(Layout, WithoutTimesOfWordsLastsAsLongAsTheSegment) {
  EXPECT_EQ(laid_out("srt", {said_by("", 0, 5, " Hello."), said_by("", 5, 30, " Bye.")},
                     SubtitleStyle::standard),
            "1\n00:00:00,000 --> 00:00:04,920\nHello.\n\n"
            "2\n00:00:05,000 --> 00:00:12,000\nBye.\n\n");
}

TEST(Layout, OfNothingIsAnEmptyFile) {
  EXPECT_EQ(laid_out("srt", {}, SubtitleStyle::netflix), "");
  EXPECT_EQ(laid_out("vtt", {said_by("", 0, 1, " ")}, SubtitleStyle::netflix), "WEBVTT\n\n");
}

TEST(Layout, GivesTwoWhoSpeakAtOnceALineEach) {
  const std::vector both{said_by("A", 0, 2, " How are you?"), said_by("B", 0.5, 2, " Hello!"),
                         said_by("B", 4, 5, " Fine.")};
  EXPECT_EQ(laid_out("srt", both, SubtitleStyle::standard),
            "1\n00:00:00,000 --> 00:00:02,000\n- A: How are you?\n- B: Hello!\n\n"
            "2\n00:00:04,000 --> 00:00:05,000\nB: Fine.\n\n")
      << "after two speakers it has to be told who goes on";
  const auto vtt = laid_out("vtt", both, SubtitleStyle::bbc);
  EXPECT_NE(vtt.find("<v A>- How are you?</v>\n<v B>- Hello!</v>\n"), vtt.npos) << vtt;
  const auto ass = laid_out("ass", both, SubtitleStyle::netflix);
  EXPECT_NE(ass.find(",Default,A; B,0,0,0,,- A: How are you?\\N- B: Hello!\n"), ass.npos) << ass;
}

TEST(Layout, ShowsOneCueAtATime) {
  Transcript transcript;
  transcript.duration = 12;
  for (int i = 0; i < 20; ++i) {
    const double start = i / 2;
    const char* said =
        i % 3 == 0 ? " Yes." : " The meeting was moved to the end of next week, too.";
    transcript.segments.push_back(said_by(i % 2 == 0 ? "A" : "B", start, start + 1.6, said));
  }
  double last = 0;
  for (const Cue& cue : layout_of(SubtitleStyle::netflix)(transcript, {})) {
    EXPECT_GE(cue.start, last);
    EXPECT_GT(cue.end, cue.start);
    EXPECT_FALSE(cue.speaker.empty());
    last = cue.end;
  }
  EXPECT_LE(last, transcript.duration);
}

TEST(Layout, MakesCuesInOrderThatHaveALength) {
  auto segments = talk;
  segments.push_back(said_by("C", 3, 3, " Here."));
  segments[0].words = {{2, 1, " The", 1}, {1, 1, " meeting", 1}};
  double last = 0;
  Transcript transcript;
  transcript.segments = segments;
  for (const Cue& cue : layout_of(SubtitleStyle::netflix)(transcript, {})) {
    EXPECT_GT(cue.end, cue.start);
    EXPECT_GE(cue.start, last);
    last = cue.start;
  }
}

}  // namespace
}  // namespace protocol
