#include "protocol/speakers.h"

#include <gtest/gtest.h>

#include "protocol/writers.h"

namespace protocol {
namespace {

Segment said(std::optional<int> channel) {
  return {.start = 0,
          .end = 1,
          .text = " Hello there.",
          .words = {{0, 0.5, " Hello", 1}, {0.5, 1, " there.", 1}},
          .channel = channel};
}

std::unique_ptr<Writer> labelled(const char* format) {
  return make_writer(format, {.channel_labels = {"Agent", "Caller"}}).value();
}

TEST(ChannelLabels, StandBeforeTheText) {
  const auto txt = labelled("txt");
  EXPECT_EQ(txt->segment(said(0)), "Agent: Hello there.\n");
  EXPECT_EQ(txt->segment(said(1)), "Caller: Hello there.\n");
  EXPECT_EQ(txt->segment(said(std::nullopt)), "Hello there.\n");
  EXPECT_EQ(txt->segment(said(2)), "Hello there.\n");
}

TEST(ChannelLabels, AreNotGivenToSilence) {
  EXPECT_EQ(labelled("txt")->segment({.channel = 0}), "\n");
}

TEST(ChannelLabels, AreSpeakersInJsonAndNotInItsText) {
  Transcript transcript;
  transcript.segments = {said(1)};
  const auto json = write_transcript("json", transcript, {.channel_labels = {"Agent", "Caller"}});
  EXPECT_NE(json->find("\"speaker\": \"Caller\""), json->npos);
  EXPECT_NE(json->find("\"channel\": 1"), json->npos);
  EXPECT_EQ(json->find("Caller:"), json->npos);
}

TEST(Speakers, OfTheSegmentsThemselvesNeedNoLabelsAndGoBeforeThem) {
  Segment segment = said(1);
  segment.speaker = "Ann";
  EXPECT_EQ(make_writer("txt").value()->segment(segment), "Ann: Hello there.\n");
  EXPECT_EQ(labelled("txt")->segment(segment), "Ann: Hello there.\n");
}

TEST(Speakers, AreVoicesInVtt) {
  Transcript transcript;
  transcript.segments = {said(std::nullopt)};
  transcript.segments[0].speaker = "A<b";
  transcript.segments[0].words.clear();
  EXPECT_EQ(*write_transcript("vtt", transcript),
            "WEBVTT\n\n00:00.000 --> 00:01.000\n<v A&lt;b>Hello there.\n\n");
}

TEST(Speakers, AreToldInSrtWhereAnotherOneSpeaks) {
  Transcript transcript;
  for (const char* speaker : {"Ann", "Ann", "Bob", "", "Bob"}) {
    Segment segment = said(std::nullopt);
    segment.speaker = speaker;
    segment.words.clear();
    segment.text = " Hi.";
    transcript.segments.push_back(std::move(segment));
  }
  const std::string times = "\n00:00:00,000 --> 00:00:01,000\n";
  EXPECT_EQ(*write_transcript("srt", transcript), "1" + times + "Ann: Hi.\n\n2" + times +
                                                      "Hi.\n\n3" + times + "Bob: Hi.\n\n4" + times +
                                                      "Hi.\n\n5" + times + "Bob: Hi.\n\n");
}

TEST(Speakers, KeepTheirVoiceInEachCueOfVtt) {
  Transcript transcript;
  transcript.segments = {said(std::nullopt)};
  transcript.segments[0].speaker = "Ann";
  EXPECT_EQ(*write_transcript("vtt", transcript, {.highlight_words = true}),
            "WEBVTT\n\n00:00.000 --> 00:00.500\n<v Ann><u>Hello</u> there.\n\n"
            "00:00.500 --> 00:01.000\n<v Ann>Hello <u>there.</u>\n\n");
}

TEST(Speakers, AreLeftOutOfJsonWhereNobodyHasToldThem) {
  Transcript transcript;
  transcript.segments = {said(1)};
  EXPECT_EQ(write_transcript("json", transcript)->find("speaker"), std::string::npos);
}

TEST(Speakers, HaveTurnsWhereSegmentsNameThem) {
  const auto of = [](double start, double end, const char* speaker) {
    Segment segment;
    segment.start = start;
    segment.end = end;
    segment.speaker = speaker;
    return segment;
  };
  const std::vector segments{of(0, 2, "A"), of(2.5, 4, "A"), of(4, 5, ""),
                             of(6, 7, "A"), of(7, 8, "B"),   of(7.5, 7.8, "B")};
  EXPECT_EQ(turns_of(segments), (std::vector<SpeakerTurn>{{0, 4, "A"}, {6, 7, "A"}, {7, 8, "B"}}));
}

TEST(ChannelLabels, ReachWhatIsWrittenAtTheEnd) {
  const auto srt = labelled("srt");
  srt->begin({.words = true});
  Transcript transcript;
  transcript.segments = {said(1)};
  EXPECT_EQ(srt->finish(transcript), "1\n00:00:00,000 --> 00:00:01,000\nCaller: Hello there.\n\n");
}

}  // namespace
}  // namespace protocol
