#include <optional>

#include "server/inputs/url_fetcher.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"
#include "tests/server/api/sse_events.h"
#include "tests/server/outbound/loopback_server.h"
#include "tests/server/started.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::form_field;
using test::PlayedJob;

class TranscriptionRoutes : public test::ApiFixture {
 protected:
  static FakeExchange wish(const std::string& parts, const std::string& what = "transcriptions") {
    return test::form_request("/v1/audio/" + what,
                              test::form_file("sound") + form_field("model", "whisper-1") + parts);
  }
  // Returns the answer to a client that waits, while a runner does the job.
  FakeExchange answer(FakeExchange exchange, PlayedJob played) {
    test::play_beside(io, jobs, std::move(played));
    ask(exchange);
    return exchange;
  }
  FakeExchange answer(const std::string& parts) {
    return answer(wish(parts), {.said = test::two_segments()});
  }
  static PlayedJob failing(const char* code) {
    return {.end = JobEnd{JobState::failed, Error{code, "It did not work.", ""}}};
  }
  std::size_t kept_jobs() { return test::run(io, jobs.list("local", 10, "")).value().size(); }
};

TEST_F(TranscriptionRoutes, EachFormatHasItsShapeAndType) {
  struct Case {
    const char* format;
    const char* type;
    const char* body;
  };
  for (const auto& c :
       {Case{"text", "text/plain; charset=utf-8", "Hello there. Goodbye.\n"},
        Case{"srt", "text/plain; charset=utf-8",
             "1\n00:00:00,000 --> 00:00:03,000\nHello there. Goodbye.\n\n"},
        Case{"vtt", "text/vtt; charset=utf-8",
             "WEBVTT\n\n00:00.000 --> 00:03.000\nHello there. Goodbye.\n\n"},
        Case{"json", "application/json",
             R"({"text":"Hello there. Goodbye.","usage":{"type":"duration","seconds":3}})"}}) {
    const auto answered = answer(form_field("response_format", c.format));
    EXPECT_EQ(status_of(answered), 200U) << c.format;
    EXPECT_EQ(answered.answer.content_type, c.type);
    EXPECT_EQ(answered.answer.body, c.body);
  }
}

TEST_F(TranscriptionRoutes, SubtitlesFollowTheStyleAndOptionsOfLines) {
  auto said = test::two_segments();
  for (auto& segment : said) segment.words = {{segment.start, segment.end, segment.text, 1}};
  const auto srt = [&](const char* name, const char* value) {
    const auto form = form_field("response_format", "srt") + form_field(name, value);
    return answer(wish(form), {.said = said}).answer.body;
  };
  const std::string whispers =
      "1\n00:00:00,000 --> 00:00:01,000\nHello there.\n\n"
      "2\n00:00:01,000 --> 00:00:03,000\nGoodbye.\n\n";
  EXPECT_EQ(srt("subtitle_style", "whisper"), whispers);
  EXPECT_EQ(srt("max_line_width", "42"), whispers) << "openai/whisper's options";
}

TEST_F(TranscriptionRoutes, TheVerboseFormatHasLanguageAndSegments) {
  const json body = json_of(answer(form_field("response_format", "verbose_json")));
  EXPECT_EQ(body["task"], "transcribe");
  EXPECT_EQ(body["language"], "english");
  EXPECT_EQ(body["duration"], 3);
  ASSERT_EQ(body["segments"].size(), 2U);
  EXPECT_EQ(body["segments"][1]["text"], " Goodbye.");
  EXPECT_FALSE(body.contains("words"));
}

TEST_F(TranscriptionRoutes, ATranslationIsEnglishWhateverWasSpoken) {
  auto exchange = wish(form_field("response_format", "verbose_json"), "translations");
  PlayedJob played{.said = test::two_segments()};
  played.end->summary.language = "de";
  const json body = json_of(answer(std::move(exchange), std::move(played)));
  EXPECT_EQ(body["task"], "translate");
  EXPECT_EQ(body["language"], "english");
}

TEST_F(TranscriptionRoutes, TheTextOfSplitChannelsSaysWhoSpeaks) {
  PlayedJob played{.said = test::two_segments()};
  played.said[0].channel = 0;
  played.said[1].channel = 1;
  auto exchange = wish(form_field("response_format", "text") + form_field("channels", "split") +
                       form_field("channel_labels", R"(["Agent", "Caller"])"));
  EXPECT_EQ(answer(std::move(exchange), std::move(played)).answer.body,
            "Agent: Hello there.\nCaller: Goodbye.\n");
}

TEST_F(TranscriptionRoutes, TheJobAndItsSoundAreForgottenWithTheAnswer) {
  EXPECT_EQ(status_of(answer("")), 200U);
  test::run_until(io, [&] { return kept_jobs() == 0; });
  EXPECT_TRUE(spool.names().empty());
}

TEST_F(TranscriptionRoutes, AClientThatLeavesTakesItsJobAlong) {
  for (const char* stream : {"false", "true"}) {
    auto exchange = wish(form_field("stream", stream));
    const auto serve = [&]() -> asio::awaitable<int> {
      co_await dispatch(api, exchange);
      co_return 0;
    };
    const test::Started<int> served(io, serve());
    test::run_until(io, [&] { return jobs.waiting() == 1; });
    EXPECT_FALSE(served.ended());
    exchange.has_left = true;
    test::run_until(io, [&] { return served.ended() && kept_jobs() == 0; });
    EXPECT_FALSE(exchange.has_answered()) << stream;
    EXPECT_TRUE(spool.names().empty());
  }
}

TEST_F(TranscriptionRoutes, AClientThatLeavesEndsTheFetchOfItsAddress) {
  test::LoopbackServer server([](const std::string&) { return std::string(); });  // stays silent
  UrlFetcher fetcher({.allow_private = true}, spool);
  services.urls = &fetcher;
  auto exchange = test::form_request(
      "/v1/audio/transcriptions",
      form_field("model", "whisper-1") + form_field("url", server.url("/talk.mp3")));
  const auto serve = [&]() -> asio::awaitable<int> {
    co_await dispatch(api, exchange);
    co_return 0;
  };
  const test::Started<int> served(io, serve());
  test::run_until(io, [&] { return !server.requests().empty(); });
  EXPECT_FALSE(served.ended());
  exchange.has_left = true;
  test::run_until(io, [&] { return served.ended() && spool.names().empty(); });
  EXPECT_FALSE(exchange.has_answered());
  EXPECT_EQ(jobs.waiting(), 0);
  services.urls = nullptr;
}

TEST_F(TranscriptionRoutes, WhatFailsIsAnErrorWithItsStatus) {
  for (const char* stream : {"false", "true"}) {
    const auto fields = form_field("stream", stream);
    const auto audio = answer(wish(fields), failing("no_audio_track"));
    EXPECT_EQ(status_of(audio), 400U) << stream;
    EXPECT_EQ(error_of(audio), "no_audio_track") << stream;
    const auto worker = answer(wish(fields), failing(errc::worker_died));
    EXPECT_EQ(status_of(worker), unsigned(http_status(errc::worker_died))) << stream;
    EXPECT_EQ(worker.answer.content_type, "application/json") << stream;
  }
}

TEST_F(TranscriptionRoutes, WhatIsNotBegunBeforeTheEndIsToldSo) {
  auto exchange = wish("");
  const auto drain = [&]() -> asio::awaitable<void> {
    while (jobs.waiting() == 0) co_await sleep_for(std::chrono::milliseconds(1));
    jobs.drain();
  };
  asio::co_spawn(io, drain, asio::detached);
  EXPECT_EQ(error_of(ask(exchange)), errc::draining);
}

TEST_F(TranscriptionRoutes, AMistakeInTheFormNamesItsParameter) {
  auto exchange = wish(form_field("temperature", "warm"));
  EXPECT_EQ(status_of(ask(exchange)), 400U);
  EXPECT_EQ(json_of(exchange)["error"]["param"], "temperature");
  EXPECT_TRUE(spool.names().empty());
}

TEST_F(TranscriptionRoutes, TheDeltasOfAStreamJoinToItsText) {
  auto exchange = wish(form_field("stream", "true"));
  PlayedJob played{.said = test::two_segments()};
  played.may_end = [&exchange] { return exchange.has_answered(); };
  test::play_beside(io, jobs, std::move(played));
  ask(exchange);
  EXPECT_EQ(exchange.answer.content_type, "text/event-stream");
  auto events = test::sse_data_of(exchange.answer.body);
  ASSERT_GE(events.size(), 2U);
  EXPECT_EQ(events.back(), "[DONE]");
  events.pop_back();
  std::string joined;
  for (const auto& event : events) joined += json::parse(event).value("delta", "");
  const json last = json::parse(events.back());
  EXPECT_EQ(last["type"], "transcript.text.done");
  EXPECT_EQ(last["text"], "Hello there. Goodbye.");
  EXPECT_EQ(last["usage"]["input_tokens"], 150);
  EXPECT_EQ(joined, last["text"]);
}

TEST_F(TranscriptionRoutes, EventsOfAStreamHaveTheirTypeAsTheirName) {
  auto exchange = wish(form_field("stream", "true"));
  test::play_beside(io, jobs, {.said = test::two_segments()});
  const std::string& stream = ask(exchange).answer.body;
  EXPECT_TRUE(stream.starts_with("event: transcript.text.delta\ndata: {")) << stream;
  EXPECT_NE(stream.find("\n\nevent: transcript.text.done\ndata: {"), stream.npos) << stream;
  EXPECT_TRUE(stream.ends_with("\n\ndata: [DONE]\n\n")) << stream;
}

TEST_F(TranscriptionRoutes, TheEndOfAVerboseStreamHasTheSegments) {
  auto exchange =
      wish(form_field("stream", "true") + form_field("response_format", "verbose_json"));
  test::play_beside(io, jobs, {.said = test::two_segments()});
  auto events = test::sse_data_of(ask(exchange).answer.body);
  ASSERT_GE(events.size(), 2U);
  const json end = json::parse(events[events.size() - 2]);
  EXPECT_EQ(end["type"], "transcript.text.done");
  EXPECT_EQ(end["language"], "english");
  EXPECT_EQ(end["segments"].size(), 2U);
}

TEST_F(TranscriptionRoutes, WhatAFormatCannotShowIsLeftOutAndTold) {
  const auto answered =
      answer(form_field("include[]", "logprobs") + form_field("timestamp_granularities[]", "word") +
             form_field("response_format", "text"));
  EXPECT_EQ(status_of(answered), 200U);
  EXPECT_EQ(answered.answer.body, "Hello there. Goodbye.\n");
  EXPECT_NE(answered.header("warning").find("timestamp_granularities, include"), std::string::npos);
}

TEST_F(TranscriptionRoutes, AModelThatCountsTokensHasThemAndTheLanguages) {
  auto exchange = test::form_request(
      "/v1/audio/transcriptions", test::form_file("sound") + form_field("model", "gpt-transcribe"));
  const json body = json_of(answer(std::move(exchange), {.said = test::two_segments()}));
  EXPECT_EQ(body["usage"]["type"], "tokens");
  EXPECT_EQ(body["languages"][0]["code"], "en");
}

TEST_F(TranscriptionRoutes, AnAnswerThatTakesLongBeginsBeforeItIsKnown) {
  api.settings.early_head_after = std::chrono::milliseconds(1);
  auto exchange = wish("");
  PlayedJob played{.said = test::two_segments()};
  played.may_end = [&exchange] { return exchange.answer.body.size() > 2; };
  test::play_beside(io, jobs, std::move(played));
  EXPECT_EQ(status_of(ask(exchange)), 200U);
  EXPECT_EQ(exchange.header("trailer"), std::string(late_error_trailer) + ", warning");
  EXPECT_TRUE(exchange.answer.body.starts_with("   ")) << exchange.answer.body;
  EXPECT_EQ(json_of(exchange)["text"], "Hello there. Goodbye.");
}

TEST_F(TranscriptionRoutes, AnErrorAfterTheHeadIsTheBody) {
  api.settings.early_head_after = std::chrono::milliseconds(1);
  auto exchange = wish("");
  PlayedJob played = failing(errc::worker_died);
  played.may_end = [&exchange] { return exchange.has_answered(); };
  test::play_beside(io, jobs, std::move(played));
  EXPECT_EQ(status_of(ask(exchange)), 200U);
  EXPECT_EQ(exchange.answer.error, errc::worker_died);
  EXPECT_EQ(json_of(exchange)["error"]["code"], errc::worker_died);
}

TEST_F(TranscriptionRoutes, OnlyJsonBeginsBeforeItIsKnown) {
  api.settings.early_head_after = std::chrono::milliseconds(1);
  auto exchange = wish(form_field("response_format", "text"));
  PlayedJob played{.said = test::two_segments()};
  int looks = 0;
  played.may_end = [&looks] { return ++looks > 20; };
  test::play_beside(io, jobs, std::move(played));
  EXPECT_EQ(ask(exchange).answer.body, "Hello there. Goodbye.\n");
}

TEST_F(TranscriptionRoutes, AStreamGivesTextAtOnceAndSpeakersAtTheEnd) {
  auto exchange =
      wish(form_field("stream", "true") + form_field("response_format", "diarized_json"));
  PlayedJob played{.said = {{.start = 0,
                             .end = 3,
                             .text = " Hello there. Goodbye.",
                             .words = {{0, 1, " Hello there.", 1}, {1, 3, " Goodbye.", 1}}}}};
  played.end->summary.turns = {{0, 1, "A"}, {1, 3, "B"}};
  played.end->exclusive_turns = played.end->summary.turns;
  played.may_end = [&exchange] { return exchange.has_answered(); };
  test::play_beside(io, jobs, std::move(played));
  ask(exchange);
  auto events = test::sse_data_of(exchange.answer.body);
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(json::parse(events[0])["delta"], "Hello there. Goodbye.");
  const json first = json::parse(events[1]), second = json::parse(events[2]);
  EXPECT_EQ(first["type"], "transcript.text.segment");
  EXPECT_EQ(first["speaker"], "A");
  EXPECT_EQ(second["speaker"], "B");
  EXPECT_EQ(second["text"], "Goodbye.");
  EXPECT_EQ(second["id"], "seg_002");
  EXPECT_EQ(json::parse(events[3])["text"], "Hello there. Goodbye.");
}

TEST_F(TranscriptionRoutes, AStreamThatHasBegunEndsWithTheError) {
  auto exchange = wish(form_field("stream", "true"));
  PlayedJob played = failing(errc::worker_died);
  played.said = test::two_segments();
  played.may_end = [&exchange] { return exchange.has_answered(); };
  test::play_beside(io, jobs, std::move(played));
  EXPECT_EQ(status_of(ask(exchange)), 200U);
  const auto events = test::sse_events(exchange.answer.body);
  ASSERT_GE(events.size(), 2U);
  EXPECT_EQ(events.front()["type"], "transcript.text.delta");
  EXPECT_EQ(events.back()["error"]["code"], errc::worker_died);
}

}  // namespace
}  // namespace server
