#include "protocol/transcript_json.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

Transcript transcript() {
  Transcript made{.text = " a b",
                  .language = "en",
                  .duration = 4.5,
                  .model = "base",
                  .device = "cpu",
                  .device_reason = "no GPU",
                  .compute_type = "float32",
                  .task = "transcribe",
                  .timings = {0.5, 0.25, 2, 2.5},
                  .warnings = {"w"}};
  made.segments.push_back({.id = 0, .start = 0, .end = 2, .text = " a", .tokens = {1, 2}});
  made.segments.push_back({.id = 1, .seek = 3000, .start = 2, .end = 4, .text = " b"});
  return made;
}

TEST(TranscriptJson, OwnKeysFollowThoseOfWhisper) {
  EXPECT_EQ(
      to_json(transcript()).dump(),
      R"({"text":" a b","segments":[)"
      R"({"id":0,"seek":0,"start":0.0,"end":2.0,"text":" a","tokens":[1,2],"temperature":0.0,)"
      R"("avg_logprob":0.0,"compression_ratio":0.0,"no_speech_prob":0.0},)"
      R"({"id":1,"seek":3000,"start":2.0,"end":4.0,"text":" b","tokens":[],"temperature":0.0,)"
      R"("avg_logprob":0.0,"compression_ratio":0.0,"no_speech_prob":0.0}],)"
      R"("language":"en","duration":4.5,"model":"base","device":"cpu",)"
      R"("device_reason":"no GPU","fallback":null,"compute_type":"float32","task":"transcribe","timings":{"load_s":0.5,)"
      R"("decode_s":0.25,"transcribe_s":2.0,"total_s":2.5},"warnings":["w"]})");
}

TEST(TranscriptJson, AGpuThatWasPassedOverIsNamedWithItsReason) {
  auto fallen_back = transcript();
  fallen_back.fallback = {"cuda:0", "CUDA_DRIVER_TOO_OLD", "the driver is too old"};
  const auto json = to_json(fallen_back);
  EXPECT_EQ(json["fallback"].dump(), R"({"wanted":"cuda:0","code":"CUDA_DRIVER_TOO_OLD",)"
                                     R"("headline":"the driver is too old"})");
  EXPECT_EQ(parse_transcript(json.dump()).value(), fallen_back);
}

TEST(TranscriptJson, WhatWasWrittenIsReadAgain) {
  EXPECT_EQ(parse_transcript(to_json(transcript()).dump()).value(), transcript());
  auto with_words = transcript();
  with_words.segments[1].words.push_back({2, 3, " b", 0.5});
  EXPECT_EQ(parse_transcript(to_json(with_words).dump()).value(), with_words);
  auto heard = transcript();
  heard.languages = {{"en", 0.75}, {"de", 0.25}};
  EXPECT_EQ(parse_transcript(to_json(heard).dump()).value(), heard);
}

TEST(TranscriptJson, OnlyAWindowThatWasNotComputedInFullSaysSo) {
  auto windows = transcript();
  windows.segments[0].encoder_window = WindowKind::full;
  windows.segments[1].encoder_window = WindowKind::shortened;
  windows.windows = {.full = 1, .shortened = 1};
  const auto json = to_json(windows);
  EXPECT_FALSE(json["segments"][0].contains("encoder_window"));
  EXPECT_EQ(json["segments"][1]["encoder_window"], "short");
  EXPECT_EQ(to_json(windows.segments[1])["encoder_window"], "short");
  EXPECT_FALSE(to_json(windows.segments[0]).contains("encoder_window"));
  EXPECT_FALSE(json.contains("windows"));
}

TEST(TranscriptJson, WordsAreInEverySegmentOrInNone) {
  auto with_words = transcript();
  with_words.segments[1].words.push_back({2, 3, " b", 0.5});
  const auto json = to_json(with_words);
  EXPECT_EQ(json["segments"][0]["words"].dump(), "[]");
  EXPECT_EQ(json["segments"][1]["words"].dump(),
            R"([{"word":" b","start":2.0,"end":3.0,"probability":0.5}])");
  EXPECT_FALSE(to_json(transcript())["segments"][0].contains("words"));
}

TEST(TranscriptJson, WordsDoNotTellHowManyTokensTheyHave) {
  Segment segment{.text = " b", .words = {{2, 3, " b", 0.5, 1}}};
  EXPECT_FALSE(to_json(segment)["words"][0].contains("text_tokens"));
  EXPECT_FALSE(to_json(Transcript{.segments = {segment}}).dump().find("text_tokens") !=
               std::string::npos);
}

TEST(TranscriptJson, ASegmentAloneHasWordsOnlyIfThereAreSome) {
  Segment segment{.text = " b"};
  EXPECT_FALSE(to_json(segment).contains("words"));
  segment.words.push_back({2, 3, " b", 0.5});
  EXPECT_EQ(to_json(segment)["words"].size(), 1u);
}

TEST(TranscriptJson, ASegmentNamesItsLanguageOnlyWhereItHasOneOfItsOwn) {
  auto of_two = transcript();
  of_two.segments[1].language = "de";
  const auto json = to_json(of_two);
  EXPECT_FALSE(json["segments"][0].contains("language"));
  EXPECT_EQ(json["segments"][1]["language"], "de");
  EXPECT_EQ(parse_transcript(json.dump()).value(), of_two);
  EXPECT_FALSE(to_json(of_two.segments[0]).contains("language"));
  EXPECT_EQ(to_json(of_two.segments[1])["language"], "de");
}

TEST(TranscriptJson, OwnTimesHaveMillisecondsAndThoseOfWhisperAllDigits) {
  auto odd = transcript();
  odd.duration = 4.5000625;
  odd.timings.total_s = 2.718281828;
  odd.segments[0].end = 37.480000000000004;
  const auto json = to_json(odd);
  EXPECT_EQ(json["duration"].dump(), "4.5");
  EXPECT_EQ(json["timings"]["total_s"].dump(), "2.718");
  EXPECT_EQ(json["segments"][0]["end"], 37.480000000000004);
}

TEST(TranscriptJson, ConfidenceIsTheMeanProbabilityOfTheTokens) {
  EXPECT_EQ(confidence({.avg_logprob = 0}), 1);
  EXPECT_NEAR(confidence({.avg_logprob = -0.6931}), 0.5, 1e-4);
}

TEST(TranscriptJson, ErrorsNameTheField) {
  auto json = to_json(transcript());
  json["segments"][1]["tokens"] = 5;
  EXPECT_EQ(parse_transcript(json.dump()).error().message,
            "transcript: field 'segments[1].tokens' must be an array");
  EXPECT_TRUE(parse_transcript("nothing").has_error());
}

}  // namespace
}  // namespace protocol
