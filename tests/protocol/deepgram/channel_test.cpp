#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/protocol/deepgram/stream.h"

namespace protocol::deepgram {
namespace {

using namespace test;

TEST(DeepgramChannel, OpensASessionWithTheSettingsOfTheAddress) {
  const Stream stream(Query{{"endpointing", "500"}, {"keyterm", "PBX"}});
  const auto opened = stream.all<live::Open>();
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0].model, "base");
  EXPECT_EQ(opened[0].settings.language, "en");
  EXPECT_EQ(opened[0].settings.hotwords, "PBX");
  EXPECT_EQ(opened[0].settings.live.turn_detection->silence_duration_ms, 500);
}

TEST(DeepgramChannel, WritesAFinalAsDeepgramDoes) {
  Stream stream;
  stream.tell(turn(0, 1.98, {said(" Hello", 0.1, 0.4), said(" world.", 0.5, 0.9)}));
  const json expected = json::parse(R"({
    "type": "Results", "channel_index": [0, 1], "start": 0.0, "duration": 1.98, "is_final": true,
    "speech_final": true, "from_finalize": false,
    "channel": {"alternatives": [{"transcript": "Hello world.", "confidence": 0.9, "words": [
      {"word": "hello", "start": 0.1, "end": 0.4, "confidence": 0.9, "punctuated_word": "Hello"},
      {"word": "world", "start": 0.5, "end": 0.9, "confidence": 0.9, "punctuated_word": "world."}
    ]}]},
    "metadata": {"request_id": "request", "model_uuid": "base",
                 "model_info": {"name": "base", "version": "", "arch": "whisper"}}})");
  EXPECT_EQ(stream.news(), std::vector{expected});
}

TEST(DeepgramChannel, TellsInterimsUpToWhereItHasHeardAndOnlyWhereTheyAreNew) {
  Stream stream(Query{{"interim_results", "true"}});
  stream.tell(LiveText{.heard_s = 0.5, .tail = " Hel"});
  stream.tell(LiveWords{.turn = 1, .words = {said(" Hello", 0.1, 0.4)}});
  stream.tell(LiveText{.heard_s = 1, .tail = " wor"});
  stream.tell(LiveText{.heard_s = 1.2, .tail = " wor"});
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(transcript_of(news[0]), "Hel");
  EXPECT_EQ(news[0]["duration"], 0.5);
  EXPECT_EQ(transcript_of(news[1]), "Hello wor");
  EXPECT_EQ(news[1]["start"], 0);
  EXPECT_EQ(news[1]["duration"], 1);
  EXPECT_EQ(news[1]["is_final"], false);
  EXPECT_EQ(news[1]["speech_final"], false);
  EXPECT_EQ(news[1]["channel"]["alternatives"][0]["words"].size(), 1U) << "those decided";
}

TEST(DeepgramChannel, TellsNoInterimsUnasked) {
  Stream stream;
  stream.tell(LiveText{.heard_s = 0.5, .tail = " Hel"});
  EXPECT_TRUE(stream.news().empty());
}

TEST(DeepgramChannel, RangesOfFinalsFollowEachOtherWithoutGapOrOverlap) {
  Stream stream(Query{{"interim_results", "true"}});
  stream.tell(turn(1, 2.5, {said(" One.", 1, 2)}));
  stream.tell(LiveText{.heard_s = 4, .tail = " Tw"});
  stream.tell(turn(3, 4.5, {said(" Two.", 3, 4)}, TurnCause::limit, 2));
  stream.tell(turn(4.5, 6, {}, TurnCause::silence, 3));
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 4U);
  double end = 0;
  for (const auto& result : news) {
    EXPECT_DOUBLE_EQ(result["start"].get<double>(), end);
    if (result["is_final"]) end += result["duration"].get<double>();
  }
  EXPECT_DOUBLE_EQ(end, 6);
  EXPECT_EQ(news[0]["speech_final"], true);
  EXPECT_EQ(news[2]["speech_final"], false) << "nobody has stopped to speak";
  EXPECT_EQ(transcript_of(news[3]), "");
}

TEST(DeepgramChannel, ALongTurnIsToldInPartsAndItsLastWordsWithTheEndOfSpeech) {
  Stream stream;
  std::vector<Word> words{said(" One.", 0, 1), said(" Two", 2, 3), said(" three", 4, 5.5)};
  stream.tell(LiveWords{.turn = 1, .words = {words[0]}});
  stream.tell(LiveWords{.turn = 1, .words = {words[1], words[2]}});
  auto news = stream.news();
  ASSERT_EQ(news.size(), 1U) << "up to the end of a sentence";
  EXPECT_EQ(transcript_of(news[0]), "One.");
  EXPECT_EQ(news[0]["is_final"], true);
  EXPECT_EQ(news[0]["speech_final"], false);
  EXPECT_EQ(news[0]["duration"], 1);
  words.push_back(said(" four", 7.5, 8));
  stream.tell(LiveWords{.turn = 1, .words = {words[3]}});
  news = stream.news();
  ASSERT_EQ(news.size(), 1U) << "all but the last word, where no sentence ends";
  EXPECT_EQ(transcript_of(news[0]), "Two three");
  stream.tell(turn(0, 8.5, words));
  news = stream.news();
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(transcript_of(news[0]), "four");
  EXPECT_EQ(news[0]["speech_final"], true);
}

TEST(DeepgramChannel, TheLastFinalOfATurnThatWasHeardAnewGoesOnWhereTheOneBeforeEnded) {
  Stream stream;
  stream.tell(LiveWords{.turn = 1,
                        .words = {said(" One.", 0, 1), said(" Two", 2, 3), said(" tree", 4, 5.5)}});
  ASSERT_EQ(transcript_of(stream.news().at(0)), "One.");
  stream.tell(turn(
      0, 6,
      {said(" At", 0, 0.4), said(" once", 0.4, 0.9), said(" two", 2, 3), said(" three", 4, 5.5)}));
  EXPECT_EQ(transcript_of(stream.news().at(0)), "two three");
}

TEST(DeepgramChannel, WordsThatATurnHasNoMoreWhenItWasHeardAnewAreNotTold) {
  Stream stream;
  stream.tell(LiveWords{.turn = 1,
                        .words = {said(" One.", 0, 1), said(" Two", 2, 3), said(" tree", 4, 5.5)}});
  ASSERT_EQ(transcript_of(stream.news().at(0)), "One.");
  stream.tell(turn(0, 6, {said(" At", 0, 0.4), said(" once", 0.4, 0.9)}));
  EXPECT_EQ(transcript_of(stream.news().at(0)), "");
}

TEST(DeepgramChannel, FinalizeAnswersAlsoWhereThereAreNoWords) {
  Stream stream;
  stream.text(R"({"type": "Finalize"})");
  EXPECT_EQ(stream.all<live::Commit>().size(), 1U);
  stream.tell(turn(2, 2, {}, TurnCause::client));
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0]["from_finalize"], true);
  EXPECT_EQ(news[0]["is_final"], true);
  EXPECT_EQ(news[0]["speech_final"], false);
  EXPECT_EQ(transcript_of(news[0]), "");
}

TEST(DeepgramChannel, WithoutEndpointingNoEndOfSpeechIsTold) {
  Stream stream(Query{{"endpointing", "false"}});
  stream.tell(turn(0, 1, {said(" Hello.", 0, 0.5)}));
  EXPECT_EQ(stream.news()[0]["speech_final"], false);
}

TEST(DeepgramChannel, TellsTheLanguageThatItHasDetected) {
  Stream stream(Query{{"language", "multi"}, {"detect_language", "true"}});
  stream.tell(turn(0, 1, {said(" Hello.", 0, 0.5)}));
  EXPECT_EQ(stream.news()[0]["channel"]["alternatives"][0]["languages"], json::array({"en"}));
}

TEST(DeepgramChannel, AClientMayWantNoSpeakersWhereTheServerTellsThem) {
  const auto is_diarized = [](const Query& more) {
    auto setup = setup_with(more);
    setup.options.diarize = true;
    DeepgramAdapter adapter(std::move(setup));
    return std::get<live::Open>(adapter.begin().front()).options.diarize;
  };
  EXPECT_TRUE(is_diarized({}));
  EXPECT_FALSE(is_diarized({{"diarize", "false"}}));
}

TEST(DeepgramChannel, NumbersTheSpeakersOfTurns) {
  Stream stream(Query{{"diarize", "true"}});
  EXPECT_TRUE(stream.all<live::Open>()[0].options.diarize);
  for (const char* speaker : {"B", "A", "B"}) {
    auto ended = turn(0, 1, {said(" Hello.", 0, 0.5)});
    ended.speaker = speaker;
    stream.tell(ended);
  }
  std::vector<int> numbers;
  for (const auto& result : stream.news()) {
    numbers.push_back(result["channel"]["alternatives"][0]["words"][0]["speaker"]);
  }
  EXPECT_EQ(numbers, (std::vector{0, 1, 0}));
}

TEST(DeepgramChannel, TellsStartsOfSpeechWhereTheyAreWanted) {
  Stream stream(Query{{"vad_events", "true"}}), other;
  stream.tell(SpeechStarted{.turn = 1, .start_s = 9.54});
  other.tell(SpeechStarted{.turn = 1, .start_s = 9.54});
  EXPECT_EQ(stream.news(),
            std::vector{
                json::parse(R"({"type": "SpeechStarted", "channel": [0, 1], "timestamp": 9.54})")});
  EXPECT_TRUE(other.news().empty());
}

TEST(DeepgramChannel, TheEndOfAnUtteranceComesOnceAfterItsSilence) {
  Stream stream(Query{{"interim_results", "true"}, {"utterance_end_ms", "1000"}});
  const auto silent_at = [&](double at_s) {
    stream.tell(Progress{.position_s = at_s, .phase = ProgressPhase::listening});
    return stream.news();
  };
  EXPECT_TRUE(silent_at(5).empty()) << "nobody has spoken";
  stream.tell(SpeechStarted{.turn = 1, .start_s = 5.5});
  stream.tell(turn(5.5, 7.3, {said(" Hello.", 6, 7)}));
  EXPECT_EQ(stream.news().size(), 1U);
  EXPECT_TRUE(silent_at(7.9).empty());
  EXPECT_EQ(silent_at(8),
            std::vector{
                json::parse(R"({"type": "UtteranceEnd", "channel": [0, 1], "last_word_end": 7})")});
  EXPECT_TRUE(silent_at(20).empty());
}

TEST(DeepgramChannel, TheEndOfAnUtteranceIsToldAlsoWhereItsTextComesLate) {
  Stream stream(Query{{"interim_results", "true"}, {"utterance_end_ms", "1000"}});
  stream.tell(SpeechStarted{.turn = 1, .start_s = 0});
  stream.tell(Progress{.position_s = 4, .phase = ProgressPhase::listening});
  stream.tell(SpeechStarted{.turn = 2, .start_s = 4.5});
  stream.tell(turn(0, 1.3, {said(" One.", 0, 1)}));
  EXPECT_EQ(stream.news().back()["type"], "UtteranceEnd");
  stream.tell(Progress{.position_s = 9, .phase = ProgressPhase::listening});
  stream.tell(turn(4.5, 6, {said(" Two.", 5, 5.5)}, TurnCause::silence, 2));
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(news[1]["last_word_end"], 5.5);
}

TEST(DeepgramChannel, WhoSpeaksAgainHasNotEndedTheUtterance) {
  Stream stream(Query{{"interim_results", "true"}, {"utterance_end_ms", "1000"}});
  stream.tell(SpeechStarted{.turn = 1, .start_s = 0});
  stream.tell(SpeechStarted{.turn = 2, .start_s = 1.4});  // before the text of the first is there
  stream.tell(turn(0, 1.3, {said(" One.", 0, 1)}));
  stream.tell(Progress{.position_s = 3, .phase = ProgressPhase::listening});
  EXPECT_EQ(stream.news().size(), 1U);
  stream.tell(turn(1.4, 3.2, {said(" Two.", 1.5, 2.9)}, TurnCause::silence, 2));
  stream.tell(Progress{.position_s = 4, .phase = ProgressPhase::listening});
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(news[1]["last_word_end"], 2.9);
}

}  // namespace
}  // namespace protocol::deepgram
