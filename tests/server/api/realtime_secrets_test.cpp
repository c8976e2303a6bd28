#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

class RealtimeRoutes : public test::ApiFixture {
 protected:
  FakeExchange post(const std::string& path, const std::string& body) {
    FakeExchange exchange(http::verb::post, path);
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
    exchange.body = body;
    ask(exchange);
    return exchange;
  }
  FakeExchange get_with(const std::string& path, const std::string& key) {
    FakeExchange exchange(http::verb::get, path);
    exchange.fields.set(http::field::authorization, "Bearer " + key);
    ask(exchange);
    return exchange;
  }
  void SetUp() override { ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]")); }
};

TEST_F(RealtimeRoutes, AskForAWebSocket) {
  FakeExchange exchange(http::verb::get, "/v1/realtime");
  EXPECT_EQ(status_of(ask(exchange)), 401U);
  const auto answer = get_with("/v1/realtime", "secret-key-of-ada");
  EXPECT_EQ(status_of(answer), 426U);
  EXPECT_EQ(answer.header("upgrade"), "websocket");
}

TEST_F(RealtimeRoutes, TakeClientSecretsWhereNoOtherRouteDoes) {
  const auto made = json_of(post("/v1/realtime/client_secrets", "{}"));
  const std::string value = made["value"];
  EXPECT_EQ(status_of(get_with("/v1/realtime", value)), 426U);
  EXPECT_EQ(status_of(get_with("/v1/realtime", value + "x")), 401U);
  EXPECT_EQ(status_of(get_with("/v1/models", value)), 401U);
  FakeExchange another(http::verb::post, "/v1/realtime/client_secrets");
  another.fields.set(http::field::authorization, "Bearer " + value);
  EXPECT_EQ(status_of(ask(another)), 401U) << "a secret makes no others";
}

TEST_F(RealtimeRoutes, TellTheSessionThatASecretBegins) {
  const auto made = json_of(post(
      "/v1/realtime/client_secrets",
      R"({"expires_after":{"anchor":"created_at","seconds":10},"session":{"type":"transcription","audio":{"input":{"transcription":{"language":"de"}}}}})"));
  const auto& session = made["session"];
  EXPECT_EQ(session["type"], "transcription");
  EXPECT_EQ(session["audio"]["input"]["transcription"]["language"], "de");
  EXPECT_EQ(session["audio"]["input"]["transcription"]["model"], "base");
  const auto left = made["expires_at"].get<std::time_t>() - std::time(nullptr);
  EXPECT_TRUE(left >= 8 && left <= 10) << left;
  const auto secret = client_secrets.find(made["value"].get<std::string>(), 0).value();
  EXPECT_NE(secret->session.find(R"("language":"de")"), std::string::npos) << secret->session;
}

TEST_F(RealtimeRoutes, RefuseAModelThatIsNotThere) {
  const auto refused =
      post("/v1/realtime/client_secrets",
           R"({"session":{"audio":{"input":{"transcription":{"model":"huge"}}}}})");
  EXPECT_EQ(status_of(refused), 404U);
  EXPECT_EQ(error_of(refused), "model_not_found");
  const auto hosted = post("/v1/realtime/transcription_sessions",
                           R"({"input_audio_transcription":{"model":"gpt-4o-transcribe"}})");
  EXPECT_EQ(status_of(hosted), 200U) << "OpenAI's names stand for the usual model";
}

TEST_F(RealtimeRoutes, TellTheFlatSessionOfTheBeta) {
  for (const char* path : {"/v1/realtime/transcription_sessions", "/v1/realtime/sessions"}) {
    const auto made = json_of(post(path, R"({"input_audio_format":"g711_ulaw"})"));
    EXPECT_EQ(made["input_audio_format"], "g711_ulaw");
    EXPECT_EQ(made["object"], "realtime.transcription_session");
    EXPECT_TRUE(made["client_secret"]["value"].get<std::string>().starts_with("ek_"));
    EXPECT_EQ(made["client_secret"]["expires_at"], made["expires_at"]);
  }
}

TEST_F(RealtimeRoutes, NameTheFieldThatIsWrong) {
  struct Row {
    const char* path;
    const char* body;
    const char* param;
  };
  for (const Row& row :
       {Row{"/v1/realtime/client_secrets", R"({"expires_after":5})", "expires_after"},
        Row{"/v1/realtime/client_secrets", R"({"expires_after":{"seconds":9}})",
            "expires_after.seconds"},
        Row{"/v1/realtime/client_secrets", R"({"session":{"audio":5}})", "session.audio"},
        Row{"/v1/realtime/transcription_sessions", R"({"turn_detection":5})", "turn_detection"}}) {
    const auto answer = post(row.path, row.body);
    EXPECT_EQ(status_of(answer), 400U) << row.body;
    EXPECT_EQ(json_of(answer)["error"]["param"], row.param);
  }
  EXPECT_EQ(status_of(post("/v1/realtime/client_secrets", "[]")), 400U);
}

TEST_F(RealtimeRoutes, SayThatThereIsNoWebRtc) {
  const auto answer = post("/v1/realtime/calls", "v=0");
  EXPECT_EQ(status_of(answer), 404U);
  EXPECT_NE(answer.answer.body.find("WebSocket at /v1/realtime"), std::string::npos);
}

}  // namespace
}  // namespace server
