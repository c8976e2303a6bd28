#include <gtest/gtest.h>

#include "tests/protocol/message_round_trip.h"

namespace protocol::worker {
namespace {

TurnDetection unusual_turns() {
  return {.threshold = 0.25,
          .prefix_padding_ms = 1,
          .silence_duration_ms = 2,
          .unfinished_silence_ms = 3,
          .min_speech_duration_ms = 4};
}

TEST(LiveMessages, ALiveJobHasItsTurnsAndOthersHaveNone) {
  EXPECT_EQ(round_trip(Transcribe{.job = "j"}).live, std::nullopt);
  for (const LiveOptions& live :
       {LiveOptions{}, LiveOptions{.turn_detection = std::nullopt},
        LiveOptions{.turn_detection = unusual_turns(), .second_look = true}}) {
    EXPECT_EQ(round_trip(Transcribe{.job = "j", .live = live}).live, live);
  }
}

TEST(LiveMessages, WhatALiveClientWantsArrives) {
  const LiveSettings settings{.live = {.turn_detection = unusual_turns()},
                              .language = "de",
                              .initial_prompt = "a",
                              .hotwords = "b"};
  for (const auto wish : {Live::Wish::commit, Live::Wish::clear, Live::Wish::configure}) {
    const auto arrived = round_trip(Live{"j", 1LL << 40, wish, settings});
    EXPECT_EQ(arrived.job, "j");
    EXPECT_EQ(arrived.sample, 1LL << 40);
    EXPECT_EQ(arrived.wish, wish);
    EXPECT_EQ(arrived.settings, settings);
  }
  EXPECT_EQ(round_trip(Live{.job = "j"}).settings, std::nullopt);
  EXPECT_EQ(encode(Live{"j", 5, Live::Wish::clear, std::nullopt}),
            R"({"type":"live","job":"j","sample":5,"wish":"clear","settings":null})");
  EXPECT_EQ(problem(R"({"type":"live","job":"j","sample":5,"wish":"sing","settings":null})"),
            "message 'live': field 'wish' must be one of commit, clear, configure");
}

TEST(LiveMessages, TurnsOfALiveSessionArriveAsTheyWereSent) {
  const Word word{.start = 0.5, .end = 1, .word = " naïve", .probability = 0.75};
  const SpeechStarted started{.turn = 3, .start_s = 0.25};
  const SpeechStopped stopped{.turn = 3, .end_s = 2.5};
  const LiveWords words{.turn = 3, .words = {word, word}};
  EXPECT_EQ(event_round_trip(started), started);
  EXPECT_EQ(event_round_trip(stopped), stopped);
  EXPECT_EQ(event_round_trip(words), words);
  for (const auto cause :
       {TurnCause::silence, TurnCause::client, TurnCause::limit, TurnCause::end}) {
    const TurnEnded ended{.turn = 3,
                          .start_s = 0.25,
                          .end_s = 2.5,
                          .text = "naïve",
                          .words = {word},
                          .language = "fr",
                          .avg_logprob = -0.5,
                          .speaker = "A",
                          .cause = cause};
    EXPECT_EQ(event_round_trip(ended), ended);
  }
  EXPECT_EQ(
      encode(Event{"j", started}),
      R"({"type":"event","job":"j","event":{"type":"speech_started","turn":3,"start_s":0.25}})");
}

TEST(LiveMessages, LiveTextArrivesAsItWasSent) {
  const LiveText sent{.heard_s = 2.5, .text = " naïve", .tail = " 今"};
  EXPECT_EQ(event_round_trip(sent), sent);
}

}  // namespace
}  // namespace protocol::worker
