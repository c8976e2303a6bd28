#include "server/sessions/session_cookie.h"

#include <gtest/gtest.h>

#include "tests/server/api/fake_exchange.h"

namespace server {
namespace {

using test::FakeExchange;

FakeExchange asked_at(const char* host, const char* scheme = "http") {
  FakeExchange exchange(http::verb::get, "/");
  exchange.fields.set(http::field::host, host);
  exchange.forwarded.scheme = scheme;
  return exchange;
}

TEST(SessionCookie, IsNamedByThePortThatTheBrowserKnows) {
  EXPECT_EQ(session_cookie_name(asked_at("localhost:8080")), "scribed_8080");
  EXPECT_EQ(session_cookie_name(asked_at("localhost")), "scribed_80");
  EXPECT_EQ(session_cookie_name(asked_at("[::1]:8080")), "scribed_8080");
  EXPECT_EQ(session_cookie_name(asked_at("[::1]")), "scribed_80");
  EXPECT_EQ(session_cookie_name(asked_at("voice.example", "https")), "__Host-scribed_443");
  EXPECT_EQ(session_cookie_name(asked_at("voice.example:8443", "https")), "__Host-scribed_8443");
  EXPECT_EQ(session_cookie_name(asked_at("a:b;c=d")), "scribed_80") << "a Host that is none";
}

TEST(SessionCookie, StaysWithinTheBrowserAndThisServer) {
  EXPECT_EQ(session_cookie(asked_at("localhost:8080"), "abc", 60),
            "scribed_8080=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict");
  EXPECT_EQ(session_cookie(asked_at("voice.example", "https"), "", 0),
            "__Host-scribed_443=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
}

TEST(SessionCookie, IsFoundAmongOthers) {
  const auto token = [](const char* cookies) {
    auto exchange = asked_at("localhost:8080");
    exchange.fields.set(http::field::cookie, cookies);
    return session_token(exchange);
  };
  EXPECT_EQ(token("scribed_8080=abc"), "abc");
  EXPECT_EQ(token("a=b; scribed_8080=abc;c=d"), "abc");
  EXPECT_EQ(token("scribed_8081=abc"), "");
  EXPECT_EQ(token("xscribed_8080=abc"), "");
  EXPECT_EQ(token("__Host-scribed_8080=abc"), "") << "this request did not come by https";
  EXPECT_EQ(token("scribed_8080"), "");
  EXPECT_EQ(token(";;; ="), "");
  EXPECT_EQ(session_token(asked_at("localhost:8080")), "");
}

// Another server of this host, or of a domain above it, may have planted one of them.
TEST(SessionCookie, OfTwoWithTheNameNeitherCounts) {
  auto exchange = asked_at("localhost:8080");
  exchange.fields.set(http::field::cookie, "scribed_8080=planted; scribed_8080=abc");
  EXPECT_EQ(session_token(exchange), "");
  auto fields = asked_at("localhost:8080");
  fields.fields.insert(http::field::cookie, "scribed_8080=planted");
  fields.fields.insert(http::field::cookie, "scribed_8080=abc");
  EXPECT_EQ(session_token(fields), "");
}

}  // namespace
}  // namespace server
