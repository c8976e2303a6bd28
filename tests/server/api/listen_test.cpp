#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fstream>
#include <iterator>

#include "protocol/deepgram/answer.h"
#include "server/inputs/url_fetcher.h"
#include "server/models/digest.h"
#include "server/models/manifest.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/played_job.h"
#include "tests/server/outbound/loopback_server.h"
#include "tests/server/started.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::PlayedJob;

// Deepgram's /v1/listen, but for what goes over its socket.
class ListenRoutes : public test::ApiFixture {
 protected:
  static FakeExchange recording(const Headers& query = {}) {
    FakeExchange exchange(http::verb::post, "/v1/listen");
    exchange.fields.set(http::field::content_type, "audio/wav");
    exchange.queries = query;
    exchange.body = "sound";
    return exchange;
  }
  static PlayedJob spoken() {
    PlayedJob played{.said = test::two_segments()};
    played.said[0].words = {{.start = 0, .end = 0.4, .word = " Hello", .probability = 0.5},
                            {.start = 0.4, .end = 1, .word = " there.", .probability = 1}};
    return played;
  }
  FakeExchange answer(FakeExchange exchange, PlayedJob played = spoken()) {
    test::play_beside(io, jobs, std::move(played));
    ask(exchange);
    return exchange;
  }
  FakeExchange open_socket(const Headers& query) {
    FakeExchange exchange(http::verb::get, "/v1/listen");
    exchange.queries = query;
    ask(exchange);
    return exchange;
  }
};

TEST_F(ListenRoutes, TheBodyIsTheRecording) {
  const auto answered = answer(recording());
  EXPECT_EQ(status_of(answered), 200U);
  const json body = json_of(answered);
  const json& alternative = body["results"]["channels"][0]["alternatives"][0];
  EXPECT_EQ(alternative["transcript"], "Hello there. Goodbye.");
  EXPECT_EQ(alternative["words"][1]["word"], "there");
  EXPECT_EQ(alternative["confidence"], 0.75);
  EXPECT_EQ(body["results"]["channels"][0]["detected_language"], "en");
  EXPECT_EQ(body["metadata"]["duration"], 3);
  EXPECT_EQ(body["metadata"]["request_id"], "request");
  Hasher hasher(Digest::Kind::sha256, 0);
  hasher.update(std::string_view("sound"));
  EXPECT_EQ(body["metadata"]["sha256"], hasher.finish());
  EXPECT_EQ(body["metadata"]["created"].get<std::string>().size(), 24U);
}

TEST_F(ListenRoutes, ParametersBecomeOptionsOfTheJob) {
  auto exchange = recording({{"language", "de-CH"},
                             {"diarize", "true"},
                             {"multichannel", "true"},
                             {"keyterm", "PBX"},
                             {"smart_format", "true"}});
  JobRequest request;
  const auto look = [&]() -> asio::awaitable<int> {
    const auto job = co_await jobs.claim(true);
    request = job->request;
    JobEnd end{.summary = {.language = "de", .duration = 1}};
    co_await jobs.finish(claim_of(*job), std::move(end));
    co_return 0;
  };
  asio::co_spawn(io, look(), asio::detached);
  EXPECT_EQ(status_of(ask(exchange)), 200U);
  EXPECT_EQ(request.options.language, "de");
  EXPECT_EQ(request.options.hotwords, "PBX");
  EXPECT_TRUE(request.options.diarize);
  EXPECT_TRUE(request.options.word_timestamps);
  EXPECT_TRUE(request.split_channels);
  EXPECT_EQ(json_of(exchange)["results"]["channels"].size(), 2U);
}

TEST_F(ListenRoutes, RawSoundGetsAHeader) {
  auto exchange = recording({{"encoding", "mulaw"}, {"sample_rate", "8000"}});
  std::string stored;
  const auto look = [&]() -> asio::awaitable<int> {
    const auto job = co_await jobs.claim(true);
    std::ifstream file(job->request.input, std::ios::binary);
    stored.assign(std::istreambuf_iterator<char>(file), {});
    JobEnd end{.summary = {.duration = 1}};
    co_await jobs.finish(claim_of(*job), std::move(end));
    co_return 0;
  };
  asio::co_spawn(io, look(), asio::detached);
  EXPECT_EQ(status_of(ask(exchange)), 200U);
  const auto header = protocol::deepgram::wav_header({protocol::live::SampleType::mulaw, 8000, 1});
  EXPECT_EQ(stored, header + "sound");
}

TEST_F(ListenRoutes, TheSoundIsForgottenWithTheAnswer) {
  EXPECT_EQ(status_of(answer(recording())), 200U);
  test::run_until(io, [&] { return spool.names().empty(); });
}

TEST_F(ListenRoutes, MistakesAreToldAsDeepgramDoes) {
  struct Row {
    Headers query;
    const char* message;
  };
  for (const Row& row : std::initializer_list<Row>{
           {{{"language", "xx"}},
            "The parameter language names a language that is not known here. As in en or pt-BR."},
           {{{"redact", "pci"}}, "The parameter redact is not supported here. Leave it out."}}) {
    auto exchange = recording(row.query);
    ask(exchange);
    EXPECT_EQ(status_of(exchange), 400U);
    EXPECT_EQ(json_of(exchange), (json{{"err_code", "INVALID_QUERY_PARAMETER"},
                                       {"err_msg", row.message},
                                       {"request_id", "request"}}));
  }
  auto unknown = recording({{"model", "huge"}});
  ask(unknown);
  EXPECT_EQ(status_of(unknown), 400U) << "its clients read the reason of no other status";
  EXPECT_EQ(json_of(unknown)["err_code"], "unknown_model");
  const std::string why = json_of(unknown)["err_msg"];
  EXPECT_TRUE(why.starts_with("There is no model named 'huge'. ")) << why;
}

TEST_F(ListenRoutes, AWrongKeyIsToldAsDeepgramDoes) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  auto exchange = recording();
  exchange.fields.set(http::field::authorization, "Token another-key-of-ada");
  ask(exchange);
  EXPECT_EQ(status_of(exchange), 401U);
  EXPECT_EQ(json_of(exchange)["err_code"], errc::unauthorized);
  EXPECT_NE(exchange.header("www-authenticate"), "");
}

TEST_F(ListenRoutes, AnEmptyBodyIsNoRecording) {
  auto exchange = recording();
  exchange.body.clear();
  ask(exchange);
  EXPECT_EQ(status_of(exchange), 400U);
  EXPECT_EQ(json_of(exchange)["err_msg"],
            "The request has no recording. Send the file as the body.");
  EXPECT_TRUE(spool.names().empty());
}

TEST_F(ListenRoutes, ABodyOfJsonNamesAnAddress) {
  for (const char* body : {"{}", "hello", R"({"url": 7})"}) {
    auto exchange = recording();
    exchange.fields.set(http::field::content_type, "application/json");
    exchange.body = body;
    ask(exchange);
    EXPECT_EQ(status_of(exchange), 400U) << body;
  }
  auto exchange = recording();
  exchange.fields.set(http::field::content_type, "application/json; charset=utf-8");
  exchange.body = R"({"url": "https://example.org/talk.wav"})";
  ask(exchange);
  EXPECT_EQ(status_of(exchange), 400U);
  EXPECT_EQ(json_of(exchange)["err_code"], errc::url_refused) << "unless addresses are allowed";
  EXPECT_EQ(json_of(exchange)["err_msg"],
            "This server does not download URLs. Send the file itself as the body.");
}

TEST_F(ListenRoutes, AddressesAreFetchedWhereTheyAreAllowed) {
  test::LoopbackServer server([](const std::string&) {
    return std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsound");
  });
  UrlFetcher fetcher({.allow_private = true}, spool);
  services.urls = &fetcher;
  auto exchange = recording();
  exchange.fields.set(http::field::content_type, "application/json");
  exchange.body = json{{"url", server.url("/talk.wav")}}.dump();
  const auto answered = answer(std::move(exchange));
  EXPECT_EQ(status_of(answered), 200U);
  EXPECT_EQ(json_of(answered)["metadata"]["sha256"], "");
}

TEST_F(ListenRoutes, AFailureOfTheJobIsTold) {
  const auto failed = answer(
      recording(), {.end = JobEnd{JobState::failed, Error{"no_audio", "There is no sound.", ""}}});
  EXPECT_EQ(json_of(failed)["err_code"], "no_audio");
  EXPECT_EQ(json_of(failed)["err_msg"], "There is no sound.");
}

TEST_F(ListenRoutes, ASocketThatCannotBeIsRefusedBeforeItIsOne) {
  const auto unknown = open_socket({{"model", "nova-3"}, {"encoding", "speex"}});
  EXPECT_EQ(status_of(unknown), 400U);
  const std::string message = json_of(unknown)["err_msg"];
  EXPECT_NE(message.find("leave it out for WebM, Ogg, MP3"), message.npos) << message;
  const auto model =
      open_socket({{"encoding", "linear16"}, {"sample_rate", "16000"}, {"model", "huge"}});
  EXPECT_EQ(status_of(model), 400U);
  EXPECT_EQ(json_of(model)["err_code"], "unknown_model") << "it is not served by another model";
  const auto usual =
      open_socket({{"encoding", "linear16"}, {"sample_rate", "16000"}, {"model", "nova-3"}});
  EXPECT_EQ(status_of(usual), 503U) << "no model is installed, so none stands for Deepgram's";
}

TEST_F(ListenRoutes, ALanguageThatTheModelLacksIsRefusedBeforeTheSocket) {
  const Manifest manifest{.name = "tiny.en",
                          .format = "safetensors",
                          .source = "import",
                          .origin = "",
                          .installed = "2026-01-31T12:00:00Z",
                          .dims = {{"n_mels", 80}},
                          .files = {{"model.safetensors", 100, "aa"}}};
  std::filesystem::create_directories(store.root() / "tiny.en");
  test::write_text(store.root() / "tiny.en" / "model.safetensors", std::string(100, 'a'));
  test::write_text(store.root() / "tiny.en" / manifest_file, manifest_text(manifest));
  const auto refused = open_socket({{"model", "tiny.en"}, {"language", "de"}});
  EXPECT_EQ(status_of(refused), 400U);
  EXPECT_EQ(
      json_of(refused)["err_msg"],
      "The model tiny.en does not support the language 'de'. Use en, or a multilingual model.");
}

TEST_F(ListenRoutes, WhatHasNoEffectIsNamed) {
  const auto answered = answer(recording(
      {{"punctuate", "true"}, {"summarize", "v2"}, {"topics", "true"}, {"topics", "true"}}));
  EXPECT_EQ(status_of(answered), 200U);
  EXPECT_EQ(answered.header("warning"),
            "299 scribed \"Ignored, since they have no effect here: summarize, topics\"");
  EXPECT_EQ(answer(recording({{"smart_format", "true"}, {"topics", "false"}})).header("warning"),
            "");
}

TEST_F(ListenRoutes, AreNotThereWhereTheyAreSwitchedOff) {
  api.settings.doors.deepgram = api.settings.doors.jigasi = false;
  EXPECT_EQ(status_of(open_socket({})), 404U);
  EXPECT_EQ(status_of(get("/streaming-whisper/ws/id")), 404U);
  auto exchange = recording();
  EXPECT_EQ(status_of(ask(exchange)), 404U);
}

TEST_F(ListenRoutes, DeepgramsWayToSendAKeyIsTaken) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]"));
  auto without = recording();
  EXPECT_EQ(status_of(ask(without)), 401U);
  auto with_key = recording();
  with_key.fields.set(http::field::authorization, "Token secret-key-of-ada");
  EXPECT_EQ(status_of(answer(std::move(with_key))), 200U);
}

}  // namespace
}  // namespace server
