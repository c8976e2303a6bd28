#include "protocol/deepgram/answer.h"

#include <gtest/gtest.h>

namespace protocol::deepgram {
namespace {

using nlohmann::json;

Word heard(const char* word, double start, double end) {
  return {.start = start, .end = end, .word = word, .probability = 0.5};
}

Transcript conversation() {
  Transcript transcript{.language = "en", .duration = 6.5, .model = "base"};
  transcript.segments = {{.start = 0,
                          .end = 2,
                          .text = " Hello there.",
                          .words = {heard(" Hello", 0, 0.5), heard(" there.", 0.5, 1)},
                          .channel = 0,
                          .speaker = "A"},
                         {.start = 3,
                          .end = 4,
                          .text = " Hi!",
                          .words = {heard(" Hi!", 3, 4)},
                          .channel = 1,
                          .speaker = "B"},
                         {.start = 5,
                          .end = 6,
                          .text = " Bye.",
                          .words = {heard(" Bye.", 5, 6)},
                          .channel = 0,
                          .speaker = "A"}};
  return transcript;
}

TEST(ListenAnswer, IsDeepgrams) {
  Transcript transcript = conversation();
  transcript.segments.resize(1);
  transcript.segments[0].speaker.clear();
  const json answer =
      listen_answer(transcript, {}, {"request", "2026-11-22T16:00:00.000Z", "00ff"});
  EXPECT_EQ(answer, json::parse(R"({
    "metadata": {"transaction_key": "deprecated", "request_id": "request", "sha256": "00ff",
                 "created": "2026-11-22T16:00:00.000Z", "duration": 6.5, "channels": 1,
                 "models": ["base"],
                 "model_info": {"base": {"name": "base", "version": "", "arch": "whisper"}}},
    "results": {"channels": [{"detected_language": "en", "alternatives": [
      {"transcript": "Hello there.", "confidence": 0.5, "words": [
        {"word": "hello", "start": 0.0, "end": 0.5, "confidence": 0.5, "punctuated_word": "Hello"},
        {"word": "there", "start": 0.5, "end": 1.0, "confidence": 0.5, "punctuated_word": "there."}
      ]}]}]}})"));
}

TEST(ListenAnswer, HasTheWarningsOfTheTranscriptInItsMetadata) {
  Transcript transcript = conversation();
  transcript.warnings = {"The recording has 3 channels."};
  const json answer = listen_answer(transcript, {}, {});
  EXPECT_EQ(answer["metadata"]["warnings"],
            json::parse(R"([{"type": "transcript", "message": "The recording has 3 channels."}])"));
}

TEST(ListenAnswer, NumbersSpeakersInTheOrderOfTheirWords) {
  const json answer = listen_answer(conversation(), {.language = "en"}, {});
  EXPECT_FALSE(answer["metadata"].contains("warnings"));
  const auto& channel = answer["results"]["channels"][0];
  EXPECT_FALSE(channel.contains("detected_language"));
  const auto& words = channel["alternatives"][0]["words"];
  ASSERT_EQ(words.size(), 4U);
  EXPECT_EQ(words[1]["speaker"], 0);
  EXPECT_EQ(words[2]["speaker"], 1);
  EXPECT_EQ(words[3]["speaker"], 0);
}

TEST(ListenAnswer, KeepsChannelsApart) {
  const json answer = listen_answer(conversation(), {.multichannel = true}, {});
  EXPECT_EQ(answer["metadata"]["channels"], 2);
  const auto& channels = answer["results"]["channels"];
  ASSERT_EQ(channels.size(), 2U);
  EXPECT_EQ(channels[0]["alternatives"][0]["transcript"], "Hello there. Bye.");
  EXPECT_EQ(channels[1]["alternatives"][0]["transcript"], "Hi!");
}

TEST(ListenAnswer, CutsUtterancesAtPausesAndSpeakers) {
  const json answer = listen_answer(conversation(), {.multichannel = true, .utterances = true}, {});
  const auto& utterances = answer["results"]["utterances"];
  ASSERT_EQ(utterances.size(), 3U);
  EXPECT_EQ(utterances[0]["transcript"], "Hello there.");
  EXPECT_EQ(utterances[1]["transcript"], "Hi!");
  EXPECT_EQ(utterances[1]["channel"], 1);
  EXPECT_EQ(utterances[1]["speaker"], 1);
  EXPECT_EQ(utterances[2]["start"], 5);
  EXPECT_EQ(utterances[2]["id"], "utterance-2");
  const ListenSettings patient{.utterances = true, .utt_split_s = 10};
  Transcript of_one = conversation();
  for (auto& segment : of_one.segments) segment.speaker.clear();
  EXPECT_EQ(listen_answer(of_one, patient, {})["results"]["utterances"].size(), 1U);
}

TEST(ListenAnswer, HasParagraphsWithTheirSentences) {
  const json answer = listen_answer(conversation(), {.paragraphs = true}, {});
  const auto& paragraphs = answer["results"]["channels"][0]["alternatives"][0]["paragraphs"];
  EXPECT_EQ(paragraphs["transcript"],
            "Speaker 0: Hello there.\n\nSpeaker 1: Hi!\n\nSpeaker 0: Bye.");
  ASSERT_EQ(paragraphs["paragraphs"].size(), 3U);
  EXPECT_EQ(paragraphs["paragraphs"][0],
            json::parse(R"({"sentences": [{"text": "Hello there.", "start": 0.0, "end": 1.0}],
                            "num_words": 2, "start": 0.0, "end": 1.0, "speaker": 0})"));
}

TEST(ListenAnswer, OfSilenceHasNoWords) {
  const json answer =
      listen_answer({.duration = 1, .model = "base"}, {.utterances = true, .paragraphs = true}, {});
  const auto& alternative = answer["results"]["channels"][0]["alternatives"][0];
  EXPECT_EQ(alternative["transcript"], "");
  EXPECT_EQ(alternative["confidence"], 0);
  EXPECT_EQ(alternative["words"], json::array());
  EXPECT_EQ(answer["results"]["utterances"], json::array());
}

TEST(WavHeader, DescribesRawSound) {
  const std::string header = wav_header({live::SampleType::s16le, 16000, 2});
  using namespace std::string_literals;
  EXPECT_EQ(header,
            "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x80\x3E\0\0\0\xFA\0\0"
            "\x04\0\x10\0data\0\0\0\0"s);
  EXPECT_EQ(wav_header({live::SampleType::alaw, 8000, 1}).substr(20, 2), "\x06\0"s);
  EXPECT_EQ(wav_header({live::SampleType::mulaw, 8000, 1}).substr(34, 2), "\x08\0"s);
}

}  // namespace
}  // namespace protocol::deepgram
