#include "server/api/transcript_answer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace server {
namespace {

protocol::Transcript call() {
  protocol::Transcript transcript{.text = " Hello. Bye.", .language = "en", .duration = 3};
  transcript.segments = {{.id = 0, .end = 1, .text = " Hello.", .channel = 0},
                         {.id = 1, .end = 3, .text = " Bye.", .channel = 1}};
  transcript.segments[1].speaker = "Ada";
  transcript.segments[0].token_logprobs = {{{32, 72}, -0.5}};
  return transcript;
}

nlohmann::json body_of(const AnswerFormat& format) {
  return nlohmann::json::parse(transcript_answer(call(), format).value().body);
}

TEST(TranscriptAnswer, VerboseSegmentsSayWhoSpeaks) {
  const auto body =
      body_of({.name = "verbose_json", .split_channels = true, .channel_labels = {"Agent", "C"}});
  EXPECT_EQ(body["segments"][0]["speaker"], "Agent");
  EXPECT_EQ(body["segments"][1]["speaker"], "Ada");
  EXPECT_FALSE(body_of({.name = "verbose_json"})["segments"][0].contains("speaker"));
}

TEST(TranscriptAnswer, LogProbabilitiesAreThereIfTheyWereAskedFor) {
  for (const char* name : {"json", "verbose_json"}) {
    EXPECT_FALSE(body_of({.name = name}).contains("logprobs")) << name;
    const auto tokens = body_of({.name = name, .parts = {.logprobs = true}})["logprobs"];
    ASSERT_EQ(tokens.size(), 1U) << name;
    EXPECT_EQ(tokens[0].dump(), R"({"bytes":[32,72],"logprob":-0.5,"token":" H"})");
  }
}

TEST(TranscriptAnswer, JsonWithTimesIsVerbose) {
  const auto body =
      body_of({.name = "json", .parts = {.segments = true}, .model = {.tokens = true}});
  EXPECT_EQ(body["duration"], 3);
  EXPECT_EQ(body["segments"].size(), 2U);
  EXPECT_EQ(body["usage"]["type"], "duration") << "as in verbose_json";
  EXPECT_FALSE(body_of({.name = "json", .parts = {.segments = false}}).contains("duration"));
}

}  // namespace
}  // namespace server
