#include <string>

#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

constexpr char host[] = "localhost:8080";
constexpr char own_page[] = "http://localhost:8080";

class SessionRoutes : public test::ApiFixture {
 protected:
  SessionRoutes() {
    EXPECT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe, read_status]"));
  }

  static FakeExchange request(http::verb method, const std::string& path) {
    FakeExchange exchange(method, path);
    exchange.fields.set(http::field::host, host);
    return exchange;
  }
  FakeExchange sign_in(const std::string& body, const char* origin = own_page) {
    auto exchange = request(http::verb::post, "/v1/session");
    if (origin) exchange.fields.set(http::field::origin, origin);
    exchange.body = body;
    ask(exchange);
    return exchange;
  }
  // Returns what the browser keeps: "scribed_8080=…".
  std::string cookie() {
    const auto answer = sign_in(R"({"key": "secret-key-of-ada"})");
    EXPECT_EQ(status_of(answer), 200U);
    const std::string field = answer.header("set-cookie");
    return field.substr(0, field.find(';'));
  }
  FakeExchange with_cookie(http::verb method, const std::string& path, const std::string& cookie,
                           const char* origin = own_page) {
    auto exchange = request(method, path);
    exchange.fields.set(http::field::cookie, cookie);
    if (origin) exchange.fields.set(http::field::origin, origin);
    serve(exchange);
    return exchange;
  }
};

TEST_F(SessionRoutes, SignInWithAKeyAndOut) {
  auto nobody = request(http::verb::get, "/v1/session");
  EXPECT_EQ(json_of(ask(nobody)), (nlohmann::json{{"name", nullptr},
                                                  {"rights", nlohmann::json::array()},
                                                  {"keys_required", true},
                                                  {"ends_at", nullptr}}));
  const std::string ours = cookie();
  const auto me = json_of(with_cookie(http::verb::get, "/v1/session", ours));
  EXPECT_EQ(me["name"], "ada");
  EXPECT_EQ(me["rights"], (nlohmann::json{"transcribe", "read_status"}));
  EXPECT_TRUE(me["ends_at"].is_number());
  EXPECT_EQ(status_of(with_cookie(http::verb::get, "/v1/jobs", ours)), 200U);
  const auto out = with_cookie(http::verb::delete_, "/v1/session", ours);
  EXPECT_EQ(json_of(out)["name"], nullptr);
  EXPECT_NE(out.header("set-cookie").find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(status_of(with_cookie(http::verb::get, "/v1/jobs", ours)), 401U);
}

TEST_F(SessionRoutes, TheCookieIsNotForScriptsAndOtherSites) {
  const auto answer = sign_in(R"({"key": "secret-key-of-ada"})");
  const std::string field = answer.header("set-cookie");
  for (const char* part :
       {"scribed_8080=", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=2592000"}) {
    EXPECT_NE(field.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(answer.answer.body.find("secret"), std::string::npos);
}

using OpenServer = test::ApiFixture;

TEST_F(OpenServer, HasNothingToSignInTo) {
  const auto who = json_of(get("/v1/session"));
  EXPECT_EQ(who["name"], "local");
  EXPECT_EQ(who["rights"].size(), 4U);
  EXPECT_FALSE(who["keys_required"].get<bool>());
  FakeExchange sign(http::verb::post, "/v1/session");
  sign.body = R"({"key": "whatever"})";
  EXPECT_EQ(json_of(ask(sign))["name"], "local");
  EXPECT_EQ(sign.header("set-cookie"), "");
}

TEST_F(SessionRoutes, AKeySaysWhoSendsItToo) {
  auto exchange = request(http::verb::get, "/v1/session");
  exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  EXPECT_EQ(json_of(ask(exchange))["name"], "ada");
}

TEST_F(SessionRoutes, AWrongKeyIsRefusedAndAfterFiveAllAre) {
  for (int i = 0; i < 5; ++i) {
    const auto wrong = sign_in(R"({"key": "another-key-of-ada-)" + std::to_string(i) + R"("})");
    EXPECT_EQ(status_of(wrong), 401U);
    EXPECT_EQ(wrong.header("set-cookie"), "");
  }
  const auto refused = sign_in(R"({"key": "secret-key-of-ada"})");
  EXPECT_EQ(status_of(refused), 429U);
  EXPECT_EQ(error_of(refused), errc::rate_limited);
  const int wait = std::stoi(refused.header("retry-after"));
  EXPECT_GT(wait, 0);
  EXPECT_LE(wait, 12);
}

TEST_F(SessionRoutes, TellNothingToWhoGuesses) {
  const auto who = [this](const std::string& key) {
    auto exchange = request(http::verb::get, "/v1/session");
    if (!key.empty()) exchange.fields.set(http::field::authorization, "Bearer " + key);
    ask(exchange);
    return exchange;
  };
  const auto nobody = json_of(who(""));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(json_of(who("another-key-of-ada-" + std::to_string(i))), nobody);
  }
  const auto refused = who("secret-key-of-ada");
  EXPECT_EQ(status_of(refused), 429U);
  EXPECT_EQ(refused.answer.body.find("read_status"), std::string::npos);
  EXPECT_EQ(json_of(who("")), nobody) << "who shows no key is told so";
}

TEST_F(SessionRoutes, ACookieGoesOnWhereSomebodyGuesses) {
  const std::string ours = cookie();
  for (int i = 0; i < 5; ++i) {
    sign_in(R"({"key": "another-key-of-ada-)" + std::to_string(i) + R"("})");
  }
  EXPECT_EQ(status_of(with_cookie(http::verb::get, "/v1/jobs", ours)), 200U);
  EXPECT_EQ(status_of(with_cookie(http::verb::get, "/v1/jobs", "scribed_8080=another")), 429U);
  const auto page = with_cookie(http::verb::get, "/v1/session", "scribed_8080=another");
  EXPECT_EQ(json_of(page)["name"], nullptr) << "it asks for a key";
}

TEST_F(SessionRoutes, RefuseBodiesThatAreNone) {
  for (const char* body : {"", "[]", "{}", R"({"key": 1})", R"({"key": "a", "name": "b"})"}) {
    EXPECT_EQ(status_of(sign_in(body)), 400U) << body;
  }
}

// A page of others would sign somebody in as somebody else.
TEST_F(SessionRoutes, OtherPagesSignNobodyIn) {
  const std::string body = R"({"key": "secret-key-of-ada"})";
  EXPECT_EQ(status_of(sign_in(body, "http://localhost:3000")), 403U);
  EXPECT_EQ(status_of(sign_in(body, "http://localhost")), 403U);
  EXPECT_EQ(status_of(sign_in(body, nullptr)), 200U) << "a program is no page";
}

TEST_F(SessionRoutes, AnotherPageCannotUseTheCookie) {
  const std::string ours = cookie();
  for (const char* origin :
       {"http://localhost:3000", "https://localhost:8080", "http://localhost"}) {
    for (const auto method : {http::verb::get, http::verb::post, http::verb::delete_}) {
      const auto answer = with_cookie(method, "/v1/jobs/x/shares/y", ours, origin);
      EXPECT_EQ(status_of(answer), method == http::verb::delete_ ? 403U : 405U) << origin;
      const auto jobs = with_cookie(method, "/v1/session", ours, origin);
      EXPECT_EQ(status_of(jobs), 403U) << origin;
    }
  }
  EXPECT_EQ(status_of(with_cookie(http::verb::delete_, "/v1/jobs/x", ours, nullptr)), 403U);
  EXPECT_EQ(status_of(with_cookie(http::verb::delete_, "/v1/jobs/x", ours)), 404U);
}

// The key is what counts, and a page that has it may be anywhere that is allowed.
TEST_F(SessionRoutes, AKeyGoesBeforeTheCookie) {
  auto exchange = request(http::verb::delete_, "/v1/jobs/x");
  exchange.fields.set(http::field::cookie, cookie());
  exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  EXPECT_EQ(status_of(ask(exchange)), 404U);
  auto wrong = request(http::verb::get, "/v1/jobs");
  wrong.fields.set(http::field::cookie, cookie());
  wrong.fields.set(http::field::authorization, "Bearer another-key-of-ada");
  EXPECT_EQ(status_of(ask(wrong)), 401U);
}

TEST_F(SessionRoutes, NoPageOfAnotherOriginReadsWhatACookieOpens) {
  guard = OriginGuard({.allowed_origins = {"http://localhost:3000"}, .has_keys = true});
  auto exchange = request(http::verb::get, "/v1/jobs");
  exchange.fields.set(http::field::cookie, cookie());
  exchange.fields.set(http::field::origin, "http://localhost:3000");
  serve(exchange);
  EXPECT_EQ(status_of(exchange), 403U);
  for (const auto& [name, value] : exchange.added) {
    EXPECT_FALSE(name.starts_with("access-control")) << name;
  }
}

// A key is as good from a page of any origin as from a program, and the page can read the answer; a
// cookie is good for this server's own page alone, and what is open tells foreign pages nothing.
TEST_F(SessionRoutes, APageOfAnyOriginMayUseAKey) {
  guard = OriginGuard({.has_keys = true});
  const auto answered = [this](FakeExchange exchange) {
    exchange.fields.set(http::field::origin, "app://obsidian.md");
    serve(exchange);
    const auto is_cors = [](const auto& field) {
      return field.first == "access-control-allow-origin" && field.second == "app://obsidian.md";
    };
    return std::pair(status_of(exchange), std::ranges::any_of(exchange.added, is_cors));
  };
  auto own_key = request(http::verb::get, "/v1/jobs");
  own_key.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  EXPECT_EQ(answered(own_key), std::pair(200U, true));
  auto wrong = request(http::verb::get, "/v1/jobs");
  wrong.fields.set(http::field::authorization, "Bearer another-key-of-ada");
  EXPECT_EQ(answered(wrong), std::pair(401U, true)) << "the page hears why";
  EXPECT_EQ(answered(request(http::verb::get, "/v1/jobs")), std::pair(401U, true));
  EXPECT_EQ(answered(request(http::verb::get, "/v1/nothing")), std::pair(404U, true));
  EXPECT_EQ(answered(request(http::verb::get, "/livez")), std::pair(200U, false));
  EXPECT_EQ(answered(request(http::verb::get, "/v1/session")), std::pair(200U, false));
  for (const auto method : {http::verb::get, http::verb::delete_}) {
    auto with_cookie = request(method, "/v1/jobs/x");
    with_cookie.fields.set(http::field::cookie, cookie());
    EXPECT_EQ(answered(with_cookie), std::pair(403U, false)) << "as it was";
  }
  auto question = request(http::verb::options, "/v1/audio/transcriptions");
  question.fields.set(http::field::access_control_request_method, "POST");
  question.fields.set(http::field::access_control_request_headers, "authorization");
  EXPECT_EQ(answered(question), std::pair(204U, true)) << "it carries no key";
  auto open = request(http::verb::options, "/v1/session");
  open.fields.set(http::field::access_control_request_method, "POST");
  EXPECT_EQ(answered(open), std::pair(403U, false)) << "it says what would allow it";
}

TEST_F(SessionRoutes, SigningInCountsAsARequestOfTheKey) {
  ASSERT_TRUE(keys.add_lines("bob secret-key-of-bob requests_per_minute=2"));
  const std::string body = R"({"key": "secret-key-of-bob"})";
  EXPECT_EQ(status_of(sign_in(body)), 200U);
  EXPECT_EQ(status_of(sign_in(body)), 200U);
  const auto refused = sign_in(body);
  EXPECT_EQ(status_of(refused), 429U);
  EXPECT_EQ(refused.header("set-cookie"), "");
}

TEST_F(SessionRoutes, EndWithTheirKey) {
  const std::string ours = cookie();
  keys = ApiKeys();
  ASSERT_TRUE(keys.add_lines("ada another-key-of-ada"));
  EXPECT_EQ(status_of(with_cookie(http::verb::get, "/v1/jobs", ours)), 401U);
  EXPECT_EQ(json_of(with_cookie(http::verb::get, "/v1/session", ours))["name"], nullptr);
}

}  // namespace
}  // namespace server
