#include "protocol/deepgram/adapter.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace protocol::deepgram {
namespace {

using nlohmann::json;

Word said(const char* word, double start, double end) {
  return {.start = start, .end = end, .word = word, .probability = 0.9};
}

DeepgramAdapter::Setup setup_with(const Query& more) {
  Query query{{"encoding", "linear16"}, {"sample_rate", "16000"}, {"language", "en"}};
  query.insert(query.end(), more.begin(), more.end());
  return {.settings = read_listen_query(query, ListenKind::socket).value(),
          .request_id = "request",
          .created = "2026-11-22T16:00:00.000Z",
          .model = "base"};
}

// A client's stream: what was sent is kept as JSON, other actions as they are.
class Stream {
 public:
  explicit Stream(const Query& more = {}) : adapter(setup_with(more)) { take(adapter.begin()); }

  void take(live::Actions actions) {
    for (auto& action : actions) {
      if (const auto* send = std::get_if<live::Send>(&action)) {
        sent.push_back(json::parse(send->bytes));
      } else {
        others.push_back(std::move(action));
      }
    }
  }
  void tell(const TranscriptEvent& event, int session = 0) { take(adapter.tell(session, event)); }
  void text(const std::string& text) { take(adapter.receive_text(text)); }
  void bytes(std::size_t count) { take(adapter.receive_bytes(std::string(count, 'x'))); }

  // Returns what was sent since the last call.
  std::vector<json> news() { return std::exchange(sent, {}); }
  template <class Action>
  std::vector<Action> all() const {
    std::vector<Action> found;
    for (const auto& action : others) {
      if (const auto* one = std::get_if<Action>(&action)) found.push_back(*one);
    }
    return found;
  }

  DeepgramAdapter adapter;
  std::vector<json> sent{};
  live::Actions others{};
};

TurnEnded turn(double start, double end, std::vector<Word> words,
               TurnCause cause = TurnCause::silence, int number = 1) {
  std::string text;
  for (const auto& word : words) text += word.word;
  return {.turn = number,
          .start_s = start,
          .end_s = end,
          .text = text,
          .words = std::move(words),
          .language = "en",
          .cause = cause};
}

std::string transcript_of(const json& result) {
  return result["channel"]["alternatives"][0]["transcript"];
}

TEST(DeepgramAdapter, OpensASessionWithTheSettingsOfTheAddress) {
  const Stream stream(Query{{"endpointing", "500"}, {"keyterm", "PBX"}});
  const auto opened = stream.all<live::Open>();
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0].model, "base");
  EXPECT_EQ(opened[0].settings.language, "en");
  EXPECT_EQ(opened[0].settings.hotwords, "PBX");
  EXPECT_EQ(opened[0].settings.live.turn_detection->silence_duration_ms, 500);
}

TEST(DeepgramAdapter, WritesAFinalAsDeepgramDoes) {
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

TEST(DeepgramAdapter, TellsInterimsUpToWhereItHasHeardAndOnlyWhereTheyAreNew) {
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

TEST(DeepgramAdapter, TellsNoInterimsUnasked) {
  Stream stream;
  stream.tell(LiveText{.heard_s = 0.5, .tail = " Hel"});
  EXPECT_TRUE(stream.news().empty());
}

TEST(DeepgramAdapter, RangesOfFinalsFollowEachOtherWithoutGapOrOverlap) {
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

TEST(DeepgramAdapter, ALongTurnIsToldInPartsAndItsLastWordsWithTheEndOfSpeech) {
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

TEST(DeepgramAdapter, FinalizeAnswersAlsoWhereThereAreNoWords) {
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

TEST(DeepgramAdapter, WithoutEndpointingNoEndOfSpeechIsTold) {
  Stream stream(Query{{"endpointing", "false"}});
  stream.tell(turn(0, 1, {said(" Hello.", 0, 0.5)}));
  EXPECT_EQ(stream.news()[0]["speech_final"], false);
}

TEST(DeepgramAdapter, TellsTheLanguageThatItHasDetected) {
  Stream stream(Query{{"language", "multi"}, {"detect_language", "true"}});
  stream.tell(turn(0, 1, {said(" Hello.", 0, 0.5)}));
  EXPECT_EQ(stream.news()[0]["channel"]["alternatives"][0]["languages"], json::array({"en"}));
}

TEST(DeepgramAdapter, TellsStartsOfSpeechWhereTheyAreWanted) {
  Stream stream(Query{{"vad_events", "true"}}), other;
  stream.tell(SpeechStarted{.turn = 1, .start_s = 9.54});
  other.tell(SpeechStarted{.turn = 1, .start_s = 9.54});
  EXPECT_EQ(stream.news(),
            std::vector{
                json::parse(R"({"type": "SpeechStarted", "channel": [0, 1], "timestamp": 9.54})")});
  EXPECT_TRUE(other.news().empty());
}

TEST(DeepgramAdapter, TheEndOfAnUtteranceComesOnceAfterItsSilence) {
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

TEST(DeepgramAdapter, WhoSpeaksAgainHasNotEndedTheUtterance) {
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

TEST(DeepgramAdapter, CloseStreamEndsWithMetadata) {
  Stream stream;
  stream.bytes(32'000);
  stream.text(R"({"type": "CloseStream"})");
  EXPECT_EQ(stream.all<live::Finish>().size(), 1U);
  stream.bytes(32'000);
  EXPECT_EQ(stream.all<live::Sound>().size(), 1U) << "what comes behind is not heard";
  stream.tell(turn(0, 1, {said(" Bye.", 0, 1)}, TurnCause::end));
  stream.take(stream.adapter.tell_end(0));
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(transcript_of(news[0]), "Bye.");
  EXPECT_EQ(news[1], json::parse(R"({"type": "Metadata", "transaction_key": "deprecated",
    "request_id": "request", "sha256": "", "created": "2026-11-22T16:00:00.000Z", "duration": 1.0,
    "channels": 1})"));
  const auto closed = stream.all<live::Close>();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].code, 1000);
}

TEST(DeepgramAdapter, AnEmptyFrameIsCloseStream) {
  Stream stream;
  stream.bytes(0);
  EXPECT_EQ(stream.all<live::Finish>().size(), 1U);
}

TEST(DeepgramAdapter, AShutdownEndsStreamsAsGoingAway) {
  Stream stream;
  stream.take(stream.adapter.tell_shutdown());
  stream.take(stream.adapter.tell_end(0));
  EXPECT_EQ(stream.news().back()["type"], "Metadata");
  EXPECT_EQ(stream.all<live::Close>()[0].code, 1001);
}

TEST(DeepgramAdapter, EachChannelIsASession) {
  Stream stream(Query{{"channels", "2"}, {"multichannel", "true"}});
  EXPECT_EQ(stream.all<live::Open>().size(), 2U);
  stream.bytes(8);
  const auto sounds = stream.all<live::Sound>();
  ASSERT_EQ(sounds.size(), 2U);
  EXPECT_EQ(sounds[0].channel, 0);
  EXPECT_EQ(sounds[1].channel, 1);
  EXPECT_EQ(sounds[1].session, 1);
  stream.tell(turn(0, 1, {said(" Two.", 0, 1)}), 1);
  EXPECT_EQ(stream.news()[0]["channel_index"], json::array({1, 2}));
  stream.text(R"({"type": "Finalize", "channel": 1})");
  ASSERT_EQ(stream.all<live::Commit>().size(), 1U);
  EXPECT_EQ(stream.all<live::Commit>()[0].session, 1);
  stream.take(stream.adapter.tell_end(0));
  EXPECT_TRUE(stream.all<live::Close>().empty()) << "the other one goes on";
  stream.take(stream.adapter.tell_end(1));
  EXPECT_EQ(stream.news()[0]["channels"], 2);
}

TEST(DeepgramAdapter, ChannelsOfOneResultAreMixed) {
  Stream stream(Query{{"channels", "2"}});
  stream.bytes(8);
  ASSERT_EQ(stream.all<live::Sound>().size(), 1U);
  EXPECT_EQ(stream.all<live::Sound>()[0].channel, -1);
}

TEST(DeepgramAdapter, SamplesMayBeCutAnywhere) {
  Stream stream(Query{{"channels", "2"}});
  for (const std::size_t count : {3, 3, 1, 1}) stream.bytes(count);
  std::size_t bytes = 0;
  for (const auto& sound : stream.all<live::Sound>()) {
    EXPECT_EQ(sound.bytes.size() % 4, 0U);
    bytes += sound.bytes.size();
  }
  EXPECT_EQ(bytes, 8U);
}

TEST(DeepgramAdapter, AConfiguredListOfTermsHoldsFromNowOn) {
  Stream stream;
  stream.text(R"({"type": "Configure", "keyterms": ["PBX", "Asterisk"]})");
  ASSERT_EQ(stream.all<live::Configure>().size(), 1U);
  EXPECT_EQ(stream.all<live::Configure>()[0].settings.hotwords, "PBX, Asterisk");
  EXPECT_EQ(stream.news()[0], json::parse(R"({"type": "ConfigureSuccess", "request_id": "request",
                                              "keyterms": ["PBX", "Asterisk"]})"));
  stream.text(json{{"type", "Configure"},
                   {"keyterms", json::array({std::string(most_keyterm_bytes + 1, 'a')})}}
                  .dump());
  EXPECT_EQ(stream.news()[0]["type"], "ConfigureFailure");
  EXPECT_EQ(stream.all<live::Configure>().size(), 1U);
}

TEST(DeepgramAdapter, WhatItDoesNotUnderstandIsAnErrorAndTheStreamGoesOn) {
  Stream stream;
  for (const char* text :
       {"hello", "[]", "{}", R"({"type": 7})", R"({"type": "Fly"})",
        R"({"type": "Finalize", "channel": 1})", R"({"type": "Configure", "keyterms": "PBX"})"}) {
    stream.text(text);
    const auto news = stream.news();
    ASSERT_EQ(news.size(), 1U) << text;
    EXPECT_EQ(news[0]["type"], "Error") << text;
    EXPECT_EQ(news[0]["variant"], "SchemaError") << text;
    EXPECT_FALSE(news[0]["description"].get<std::string>().empty());
  }
  stream.bytes(2);
  EXPECT_EQ(stream.all<live::Sound>().size(), 1U);
}

TEST(DeepgramAdapter, AFailureIsToldAndEndsTheStream) {
  Stream stream;
  stream.take(stream.adapter.tell_failure(0, {"worker_died", "The worker has died.", ""}));
  EXPECT_EQ(stream.news()[0]["description"], "The worker has died.");
  EXPECT_EQ(stream.all<live::Close>()[0].code, 1011);
  stream.take(stream.adapter.tell_end(0));
  EXPECT_TRUE(stream.news().empty());
}

TEST(DeepgramAdapter, ASilentClientIsToldWhyItIsClosed) {
  Stream stream;
  stream.text(R"({"type": "KeepAlive"})");
  stream.take(stream.adapter.tick(59));
  EXPECT_TRUE(stream.all<live::Close>().empty());
  stream.take(stream.adapter.tick(60));
  const auto closed = stream.all<live::Close>();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].code, 1011);
  EXPECT_TRUE(closed[0].reason.starts_with("NET-0001"));
}

}  // namespace
}  // namespace protocol::deepgram
