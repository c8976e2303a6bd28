#include "server/http/cors.h"

#include <gtest/gtest.h>

#include <map>

namespace server {
namespace {

constexpr char page[] = "https://app.example";
constexpr Readers listed = Readers::listed;

OriginGuard guard_for(std::vector<std::string> origins) {
  return OriginGuard({.allowed_origins = std::move(origins)});
}

http::fields request_of(const std::string& origin) {
  http::fields fields;
  fields.insert("Host", "localhost");
  if (!origin.empty()) fields.insert("Origin", origin);
  return fields;
}

std::map<std::string, std::string> as_map(const Headers& headers) {
  return {headers.begin(), headers.end()};
}

TEST(Cors, LetsAListedPageReadAnswers) {
  const auto headers = as_map(cors_headers(guard_for({page}), request_of(page), listed));
  EXPECT_EQ(headers.at("access-control-allow-origin"), page);
  EXPECT_EQ(headers.at("access-control-expose-headers"), "*");
  EXPECT_EQ(headers.at("vary"), "Origin");
}

TEST(Cors, GivesOtherPagesNothing) {
  for (const char* origin :
       {"https://evil.example", "http://app.example", "https://app.example:444",
        "https://app.example.evil.example", "null", "http://localhost.evil.example", ""}) {
    const auto headers = as_map(cors_headers(guard_for({page}), request_of(origin), listed));
    EXPECT_EQ(headers.size(), 1U) << origin;
    EXPECT_EQ(headers.at("vary"), "Origin") << "a cache must not give one page another's answer";
  }
  auto twice = request_of(page);
  twice.insert("Origin", page);
  EXPECT_EQ(cors_headers(guard_for({page}), twice, listed).size(), 1U);
}

TEST(Cors, LetsPagesOfThisMachineReadAnswers) {
  for (const char* origin : {"http://localhost:3000", "https://localhost", "http://127.0.0.1:5173",
                             "http://[::1]:8000"}) {
    const auto headers = as_map(cors_headers(guard_for({}), request_of(origin), listed));
    ASSERT_TRUE(headers.contains("access-control-allow-origin")) << origin;
    EXPECT_EQ(headers.at("access-control-allow-origin"), origin);
  }
}

TEST(Cors, LetsEveryPageReadAnswersWhereEachIsListed) {
  const auto guard = guard_for({"*"});
  EXPECT_TRUE(guard.check("localhost", "https://any.example"));
  EXPECT_EQ(as_map(cors_headers(guard, request_of("https://any.example"), listed))
                .at("access-control-allow-origin"),
            "https://any.example");
}

TEST(Cors, LetsPagesThatAreNotListedReadWhatNeedsAKey) {
  const auto guard = guard_for({});
  for (const char* origin : {"app://obsidian.md", "https://any.example", "null"}) {
    const auto headers = as_map(cors_headers(guard, request_of(origin), Readers::all));
    EXPECT_EQ(headers.at("access-control-allow-origin"), origin);
    EXPECT_EQ(headers.at("vary"), "Origin");
    auto question = request_of(origin);
    question.insert("Access-Control-Request-Method", "POST");
    question.insert("Access-Control-Request-Headers", "authorization");
    const auto answer = preflight_answer(guard, question, Readers::all);
    ASSERT_TRUE(answer);
    EXPECT_EQ(as_map(answer->headers).at("access-control-allow-headers"), "authorization");
  }
  EXPECT_EQ(as_map(cors_headers(guard, request_of(""), Readers::all)).size(), 1U) << "no page";
}

TEST(Preflight, AsksAboutAMethod) {
  auto question = request_of(page);
  EXPECT_EQ(asked_method(http::verb::options, question), http::verb::options);
  question.insert("Access-Control-Request-Method", "DELETE");
  EXPECT_EQ(asked_method(http::verb::options, question), http::verb::delete_);
  EXPECT_EQ(asked_method(http::verb::get, question), http::verb::get);
}

TEST(Cors, NeverAllowsCookies) {
  for (const auto& guard : {guard_for({page}), guard_for({"*"})}) {
    auto question = request_of(page);
    question.insert("Access-Control-Request-Method", "POST");
    EXPECT_FALSE(
        as_map(cors_headers(guard, question, listed)).contains("access-control-allow-credentials"));
    const auto answer = preflight_answer(guard, question, listed);
    ASSERT_TRUE(answer);
    EXPECT_FALSE(as_map(answer->headers).contains("access-control-allow-credentials"));
  }
}

TEST(Preflight, AllowsWhatAListedPageWantsToSend) {
  auto question = request_of(page);
  question.insert("Access-Control-Request-Method", "DELETE");
  const std::string wanted =
      "authorization,content-type,idempotency-key,last-event-id,mcp-method,mcp-name,"
      "mcp-param-region,mcp-protocol-version,mcp-session-id,x-stainless-lang";
  question.insert("Access-Control-Request-Headers", wanted);
  const auto answer = preflight_answer(guard_for({page}), question, listed);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, http::status::no_content);
  const auto headers = as_map(answer->headers);
  EXPECT_EQ(headers.at("access-control-allow-methods"), "GET, HEAD, POST, PUT, PATCH, DELETE");
  EXPECT_EQ(headers.at("access-control-allow-headers"), wanted);
  EXPECT_EQ(headers.at("access-control-max-age"), "7200");
}

TEST(Preflight, SaysToOthersWhatWouldAllowThem) {
  auto question = request_of("https://other.example");
  question.insert("Access-Control-Request-Method", "DELETE");
  for (const auto& guard : {guard_for({page}), guard_for({})}) {
    const auto answer = preflight_answer(guard, question, listed);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, errc::forbidden);
    EXPECT_NE(answer.error().fix.find("\"https://other.example\" to server.allowed_origins"),
              std::string::npos);
  }
}

TEST(Preflight, IsAQuestionAboutAnotherRequest) {
  auto question = request_of(page);
  EXPECT_FALSE(is_preflight(http::verb::options, question)) << "it names no method";
  question.insert("Access-Control-Request-Method", "DELETE");
  EXPECT_TRUE(is_preflight(http::verb::options, question));
  EXPECT_FALSE(is_preflight(http::verb::get, question));
}

TEST(Preflight, RepeatsOnlyNamesOfFields) {
  auto question = request_of(page);
  question.insert("Access-Control-Request-Method", "POST");
  question.insert("Access-Control-Request-Headers", "a<b>");
  const auto answer = preflight_answer(guard_for({page}), question, listed);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(as_map(answer->headers).contains("access-control-allow-headers"));
}

}  // namespace
}  // namespace server
