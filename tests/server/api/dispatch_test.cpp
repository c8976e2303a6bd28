#include "server/http/base_url.h"
#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using Dispatch = test::ApiFixture;
using test::FakeExchange;

TEST_F(Dispatch, AnswersWhatThereIs) {
  EXPECT_EQ(status_of(get("/livez")), 200U);
  EXPECT_EQ(status_of(get("/v1/models")), 200U);
}

TEST_F(Dispatch, SaysWhatIsNotThere) {
  const auto answer = get("/v2/models");
  EXPECT_EQ(status_of(answer), 404U);
  EXPECT_EQ(error_of(answer), errc::route_not_found);
}

TEST_F(Dispatch, NamesTheMethodsOfAPathThatDoesNotTakeThisOne) {
  FakeExchange exchange(http::verb::put, "/v1/jobs");
  EXPECT_EQ(status_of(ask(exchange)), 405U);
  EXPECT_EQ(exchange.header("allow"), "POST, GET");
}

TEST_F(Dispatch, AsksForAKeyWhereThereAreSome) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]"));
  EXPECT_EQ(status_of(get("/livez")), 200U);
  EXPECT_EQ(status_of(get("/v1/models")), 401U);
  FakeExchange with_key(http::verb::get, "/v1/models");
  with_key.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  EXPECT_EQ(status_of(ask(with_key)), 200U);
  FakeExchange not_allowed(http::verb::get, "/v1/status");
  not_allowed.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  EXPECT_EQ(status_of(ask(not_allowed)), 403U);
  EXPECT_EQ(not_allowed.answer.error, errc::forbidden);
}

TEST_F(Dispatch, TellsWhatToAskForWithEachRefusal) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]"));
  const auto challenge = [this](const std::string& path, const char* authorization) {
    FakeExchange exchange(http::verb::get, path);
    exchange.fields.set(http::field::host, "localhost:8080");
    if (*authorization != 0) exchange.fields.set(http::field::authorization, authorization);
    return ask(exchange).header("www-authenticate");
  };
  const std::string metadata =
      "resource_metadata=\"http://localhost:8080/.well-known/oauth-protected-resource";
  EXPECT_EQ(challenge("/mcp", ""),
            "Bearer realm=\"scribed\", scope=\"transcribe\", " + metadata + "/mcp\"");
  EXPECT_EQ(challenge("/v1/models", "Bearer wrong"),
            "Bearer realm=\"scribed\", scope=\"transcribe\", error=\"invalid_token\", "
            "error_description=\"The API key is not valid.\", " +
                metadata + "\"");
  EXPECT_EQ(challenge("/v1/status", "Bearer secret-key-of-ada"),
            "Bearer realm=\"scribed\", scope=\"read_status\", error=\"insufficient_scope\", "
            "error_description=\"This key lacks the right read_status.\", " +
                metadata + "\"");
}

// Requests that carry a key in each of the ways there are.
class Guesses : public test::ApiFixture {
 protected:
  Guesses() { EXPECT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]")); }

  FakeExchange with_key(const std::string& path, const std::string& key,
                        const std::string& from = "192.0.2.1") {
    FakeExchange exchange(http::verb::get, path);
    exchange.from = from;
    exchange.fields.set(http::field::authorization, "Bearer " + key);
    ask(exchange);
    return exchange;
  }
  // Sends the guesses that an address may make in a minute.
  void guess(const std::string& from = "192.0.2.1") {
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(status_of(with_key("/v1/models", guess_number(i), from)), 401U) << i;
    }
  }
  static std::string guess_number(int number) { return "guess-number-" + std::to_string(number); }
};

TEST_F(Guesses, OfOneAddressAreRefusedBeforeTheyAreCompared) {
  guess();
  for (const char* key : {"guess-number-6", "secret-key-of-ada"}) {
    const auto refused = with_key("/v1/models", key);
    EXPECT_EQ(status_of(refused), 429U) << key;
    EXPECT_EQ(error_of(refused), errc::rate_limited);
    EXPECT_LE(std::stoi(refused.header("retry-after")), 12);
    EXPECT_EQ(refused.header("www-authenticate"), "");
    EXPECT_EQ(refused.key, "") << "the log does not tell either";
  }
  EXPECT_EQ(status_of(with_key("/v1/models", "secret-key-of-ada", "192.0.2.2")), 200U);
  EXPECT_EQ(status_of(with_key("/livez", "secret-key-of-ada")), 200U);
}

TEST_F(Guesses, CountWhicheverWayTheyCome) {
  const auto status = [this](const char* path, auto field, const std::string& value,
                             const char* upgrade = "") {
    FakeExchange exchange(http::verb::get, path);
    exchange.from = "2001:db8::" + std::to_string(value.size());
    exchange.fields.set(field, value);
    if (*upgrade != 0) exchange.fields.set(http::field::upgrade, upgrade);
    return status_of(ask(exchange));
  };
  EXPECT_EQ(status("/v1/jobs", http::field::authorization, "Bearer guess-of-one"), 401U);
  EXPECT_EQ(status("/v1/listen", http::field::authorization, "Token guess-of-another"), 401U);
  EXPECT_EQ(status("/v1/realtime", http::field::sec_websocket_protocol,
                   "realtime, openai-insecure-api-key.a-guess", "websocket"),
            401U);
  EXPECT_EQ(status("/mcp", http::field::authorization, "Bearer guess-of-mcp"), 401U);
  EXPECT_EQ(status("/v1/jobs", http::field::cookie, "scribed_80=a-guessed-cookie"), 401U);
  for (const char* path : {"/v1/jobs", "/v1/listen", "/mcp", "/metrics", "/v1/session"}) {
    EXPECT_EQ(status(path, http::field::authorization, "Bearer secret-key-of-ada"), 429U) << path;
  }
}

TEST_F(Guesses, DoNotLockOutWhoHadTheRightKeyThere) {
  EXPECT_EQ(status_of(with_key("/v1/models", "secret-key-of-ada")), 200U);
  guess();
  EXPECT_EQ(status_of(with_key("/v1/models", "guess-number-7")), 429U);
  EXPECT_EQ(status_of(with_key("/v1/models", "secret-key-of-ada")), 200U);
}

TEST_F(Guesses, AnOldKeyOfAProgramLocksNobodyOut) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(status_of(with_key("/v1/models", "an-old-key-of-ada")), 401U);
  }
  EXPECT_EQ(status_of(with_key("/v1/models", "secret-key-of-ada")), 200U);
}

TEST_F(Guesses, AnOpenServerHasNone) {
  keys = ApiKeys();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(status_of(with_key("/v1/models", guess_number(i))), 200U);
  }
}

TEST_F(Dispatch, DescribesTheResourceThatKeysProtect) {
  const std::string path = "/.well-known/oauth-protected-resource";
  EXPECT_EQ(status_of(get(path)), 404U) << "nothing is protected without keys";
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  const auto rest = json_of(get(path)), mcp = json_of(get(path + "/mcp"));
  EXPECT_EQ(rest["resource"], "http://localhost");
  EXPECT_EQ(mcp["resource"], "http://localhost/mcp");
  EXPECT_EQ(mcp["bearer_methods_supported"], nlohmann::json::array({"header"}));
  EXPECT_EQ(mcp["scopes_supported"],
            nlohmann::json::array({"transcribe", "read_status", "manage", "back_up"}));
  EXPECT_FALSE(mcp.contains("authorization_servers"));
}

TEST_F(Dispatch, RepeatsNoHostThatIsNone) {
  FakeExchange exchange(http::verb::get, "/v1/models");
  exchange.fields.set(http::field::host, "a\"b");
  EXPECT_EQ(base_url(exchange), std::nullopt);
  exchange.fields.set(http::field::host, "[::1]:8080");
  EXPECT_EQ(base_url(exchange), "http://[::1]:8080");
}

TEST_F(Dispatch, RefusesPagesOfOthers) {
  FakeExchange exchange(http::verb::get, "/v1/models");
  exchange.fields.set(http::field::origin, "https://elsewhere.example");
  EXPECT_EQ(status_of(ask(exchange)), 403U);
}

TEST_F(Dispatch, AnswersOnlySoManyRequestsOfOneOwnerAtOnce) {
  api.settings.max_requests_of_one = 1;
  const OpenRequest other(api.open_requests, "local");
  const auto answer = get("/v1/models");
  EXPECT_EQ(status_of(answer), 429U);
  EXPECT_EQ(error_of(answer), errc::too_many_requests);
  EXPECT_EQ(status_of(get("/livez")), 200U);
}

class Limited : public test::ApiFixture {
 protected:
  FakeExchange ask_as_ada(const std::string& path = "/v1/models") {
    FakeExchange exchange(http::verb::get, path);
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
    ask(exchange);
    return exchange;
  }
  static std::string added(const FakeExchange& exchange, std::string_view name) {
    for (const auto& [key, value] : exchange.added) {
      if (key == name) return value;
    }
    return "";
  }
};

TEST_F(Limited, AnswersSayWhatIsLeft) {
  ASSERT_TRUE(
      keys.add_lines("ada secret-key-of-ada requests_per_minute=2 running_jobs=3 "
                     "sound_seconds_per_day=100"));
  const auto first = ask_as_ada();
  EXPECT_EQ(status_of(first), 200U);
  EXPECT_EQ(added(first, "x-ratelimit-limit-requests"), "2");
  EXPECT_EQ(added(first, "x-ratelimit-remaining-requests"), "1");
  EXPECT_EQ(added(first, "x-ratelimit-remaining-jobs"), "3");
  EXPECT_EQ(added(first, "x-ratelimit-remaining-sound-seconds"), "100");
  EXPECT_EQ(added(first, "x-ratelimit-remaining-bytes"), "") << "there is no limit";
  EXPECT_EQ(first.key, "ada");
}

TEST_F(Limited, RefusesOneRequestTooManyAndSaysWhenToComeBack) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada requests_per_minute=1"));
  EXPECT_EQ(status_of(ask_as_ada()), 200U);
  const auto refused = ask_as_ada();
  EXPECT_EQ(status_of(refused), 429U);
  EXPECT_EQ(error_of(refused), errc::rate_limited);
  EXPECT_EQ(added(refused, "x-ratelimit-remaining-requests"), "0");
  EXPECT_GE(std::stoi(refused.header("retry-after")), 59);
  EXPECT_NE(refused.answer.body.find("may send 1 request a minute."), std::string::npos);
  EXPECT_EQ(status_of(get("/livez")), 200U) << "health is open to everybody";
}

TEST_F(Limited, HasNoHeadersWhereThereAreNoLimits) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  const auto answer = ask_as_ada();
  for (const auto& [name, value] : answer.added) {
    EXPECT_FALSE(name.starts_with("x-ratelimit")) << name;
  }
}

}  // namespace
}  // namespace server
