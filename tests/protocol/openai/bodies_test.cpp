#include "protocol/openai/bodies.h"

#include <gtest/gtest.h>

#include <limits>

namespace protocol::openai {
namespace {

Transcript talk() {
  Transcript transcript{.text = " Hello there. Bye.", .language = "en", .duration = 2.2};
  transcript.task = "transcribe";
  transcript.segments = {{.id = 0, .end = 1.5, .text = " Hello there.", .tokens = {50363, 18435}},
                         {.id = 1, .seek = 150, .start = 1.5, .end = 2.2, .text = " Bye."}};
  transcript.segments[1].words = {{.start = 1.5, .end = 2, .word = " Bye.", .probability = 0.5}};
  return transcript;
}

TEST(OpenAiBodies, TheShortOneHasTheTextWithoutItsLeadingSpace) {
  EXPECT_EQ(short_text(talk()),
            R"({"text":"Hello there. Bye.","usage":{"type":"duration","seconds":3}})");
}

TEST(OpenAiBodies, ModelsThatCountTokensHaveThem) {
  const Json body = Json::parse(short_text(talk(), {}, {.tokens = true, .languages = true}));
  EXPECT_EQ(body["languages"].dump(), R"([{"code":"en"}])");
  EXPECT_EQ(body["usage"].dump(), R"({"type":"tokens","input_tokens":110,)"
                                  R"("input_token_details":{"text_tokens":0,"audio_tokens":110},)"
                                  R"("output_tokens":2,"total_tokens":112})");
}

TEST(OpenAiBodies, LanguagesOfWindowsComeOnceEach) {
  Transcript transcript = talk();
  for (const char* code : {"fr", "en", "fr"}) {
    transcript.segments.push_back({.text = " Oui.", .language = code});
  }
  const Json body = Json::parse(short_text(transcript, {}, {.languages = true}));
  EXPECT_EQ(body["languages"].dump(), R"([{"code":"fr"},{"code":"en"}])");
}

TEST(OpenAiBodies, TheEndOfAVerboseStreamIsTheVerboseBody) {
  const VerboseParts parts{.segments = true, .words = true};
  Json end = Json::parse(verbose_done_text(talk(), "english", parts));
  EXPECT_EQ(end["type"], "transcript.text.done");
  EXPECT_EQ(end["usage"]["type"], "tokens");
  const Json body = Json::parse(verbose_text(talk(), "english", parts));
  EXPECT_EQ(end["segments"], body["segments"]);
  EXPECT_EQ(end["words"], body["words"]);
}

TEST(OpenAiBodies, TheLongOneHasEveryFieldThatClientsRequire) {
  const Json body = Json::parse(verbose_text(talk(), "english", {}));
  EXPECT_EQ(body["task"], "transcribe");
  EXPECT_EQ(body["language"], "english");
  EXPECT_EQ(body["duration"], 2.2);
  ASSERT_EQ(body["segments"].size(), 2u);
  for (const char* key : {"id", "seek", "start", "end", "text", "tokens", "temperature",
                          "avg_logprob", "compression_ratio", "no_speech_prob"}) {
    EXPECT_TRUE(body["segments"][0].contains(key)) << key;
  }
  EXPECT_EQ(body["segments"][0]["text"], " Hello there.");
  EXPECT_FALSE(body.contains("words"));
}

TEST(OpenAiBodies, WordsStandBesideTheSegments) {
  const Json body =
      Json::parse(verbose_text(talk(), "english", {.segments = false, .words = true}));
  EXPECT_FALSE(body.contains("segments"));
  EXPECT_EQ(body["words"].dump(), R"([{"word":"Bye.","start":1.5,"end":2.0,"probability":0.5}])");
}

TEST(OpenAiBodies, ASegmentNamesItsLanguageOnlyWhereItHasOneOfItsOwn) {
  Transcript transcript = talk();
  transcript.segments[1].language = "de";
  const Json body = Json::parse(verbose_text(transcript, "english", {}));
  EXPECT_FALSE(body["segments"][0].contains("language"));
  EXPECT_EQ(body["segments"][1]["language"], "de");
}

TEST(OpenAiBodies, ASegmentSaysHowItsWindowWasComputed) {
  Transcript transcript = talk();
  transcript.segments[0].encoder_window = WindowKind::checked;
  const Json body = Json::parse(verbose_text(transcript, "english", {}));
  EXPECT_EQ(body["segments"][0]["encoder_window"], "checked");
  EXPECT_FALSE(body["segments"][1].contains("encoder_window")) << "unknown";
}

TEST(OpenAiBodies, TimesHaveMillisecondsAndScoresFourDecimals) {
  Transcript transcript = talk();
  transcript.duration = 2.2000625;
  transcript.segments[0].end = 37.480000000000004;
  transcript.segments[0].avg_logprob = -0.28607860207557678;
  transcript.segments[1].words[0].probability = 0.98765432;
  const Json body =
      Json::parse(verbose_text(transcript, "english", {.segments = true, .words = true}));
  EXPECT_EQ(body["duration"].dump(), "2.2");
  EXPECT_EQ(body["segments"][0]["end"].dump(), "37.48");
  EXPECT_EQ(body["segments"][0]["avg_logprob"].dump(), "-0.2861");
  EXPECT_EQ(body["words"][0]["probability"].dump(), "0.9877");
}

TEST(OpenAiBodies, NumbersAreAlwaysNumbers) {
  Transcript transcript = talk();
  transcript.segments[0].avg_logprob = std::numeric_limits<double>::quiet_NaN();
  transcript.duration = std::numeric_limits<double>::infinity();
  const std::string text = verbose_text(transcript, "english", {});
  EXPECT_EQ(text.find("null"), text.npos) << text;
}

TEST(OpenAiBodies, EventsNameTheirType) {
  EXPECT_EQ(delta_event(" Bye.").dump(), R"({"type":"transcript.text.delta","delta":" Bye."})");
  const Json done = Json::parse(done_text(talk()));
  EXPECT_EQ(done["type"], "transcript.text.done");
  EXPECT_EQ(done["text"], "Hello there. Bye.");
  EXPECT_EQ(done["usage"]["type"], "tokens") << "OpenAI's libraries require it";
}

TEST(OpenAiBodies, ATokenThatIsAPartOfACharacterHasItsBytes) {
  Transcript transcript = talk();
  transcript.segments[0].token_logprobs = {{{32, 72, 105}, -0.12345}};
  transcript.segments[1].token_logprobs = {{{0xc3}, -2}};
  const Json tokens = logprobs(transcript.segments);
  EXPECT_EQ(tokens.dump(-1, ' ', false, Json::error_handler_t::replace),
            R"([{"token":" Hi","logprob":-0.1235,"bytes":[32,72,105]},)"
            "{\"token\":\"\xef\xbf\xbd\",\"logprob\":-2.0,\"bytes\":[195]}]");
}

TEST(OpenAiBodies, ASegmentSaysWhoSpeaksIfSomebodyHasTold) {
  Transcript transcript = talk();
  transcript.segments[1].channel = 1;
  const std::vector<std::string> labels{"Agent", "Caller"};
  const Json body = Json::parse(verbose_text(transcript, "english", {}, labels));
  EXPECT_FALSE(body["segments"][0].contains("speaker"));
  EXPECT_EQ(body["segments"][1]["speaker"], "Caller");
}

TEST(OpenAiBodies, AnErrorHasAllFourKeys) {
  EXPECT_EQ(error_body("No.", "invalid_request_error", "", "too_large").dump(),
            R"({"error":{"message":"No.","type":"invalid_request_error","param":null,)"
            R"("code":"too_large"}})");
}

TEST(OpenAiBodies, ListsModels) {
  EXPECT_EQ(model_list({{"base", 7}}).dump(),
            R"({"object":"list","data":[{"id":"base","object":"model","created":7,)"
            R"("owned_by":"scribed"}]})");
}

}  // namespace
}  // namespace protocol::openai
