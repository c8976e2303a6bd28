#include "server/sessions/page_origin.h"

#include <gtest/gtest.h>

#include "tests/server/api/fake_exchange.h"

namespace server {
namespace {

using test::FakeExchange;

struct Sent {
  const char* origin;  // nullptr: the field is missing
  const char* site = nullptr;
  PageOrigin expected{};
};

FakeExchange exchange_with(const Sent& sent, http::verb method = http::verb::post) {
  FakeExchange exchange(method, "/v1/jobs");
  exchange.fields.set(http::field::host, "localhost:8080");
  if (sent.origin) exchange.fields.set(http::field::origin, sent.origin);
  if (sent.site) exchange.fields.set("Sec-Fetch-Site", sent.site);
  return exchange;
}

TEST(PageOrigin, IsComparedToTheLetter) {
  for (const Sent& sent : {
           Sent{"http://localhost:8080", nullptr, PageOrigin::same},
           Sent{"http://localhost:8080", "same-origin", PageOrigin::same},
           Sent{"http://localhost:3000", nullptr, PageOrigin::other},
           Sent{"http://localhost:3000", "same-site", PageOrigin::other},
           Sent{"http://localhost", nullptr, PageOrigin::other},
           Sent{"http://localhost:80800", nullptr, PageOrigin::other},
           Sent{"https://localhost:8080", nullptr, PageOrigin::other},
           Sent{"http://LOCALHOST:8080", nullptr, PageOrigin::other},
           Sent{"http://127.0.0.1:8080", nullptr, PageOrigin::other},
           Sent{"http://localhost:8080/", nullptr, PageOrigin::other},
           Sent{"null", nullptr, PageOrigin::other},
           Sent{"", nullptr, PageOrigin::other},
           Sent{nullptr, nullptr, PageOrigin::untold},
           Sent{nullptr, "none", PageOrigin::untold},
           Sent{nullptr, "same-site", PageOrigin::other},
           Sent{nullptr, "cross-site", PageOrigin::other},
       }) {
    EXPECT_EQ(page_origin(exchange_with(sent)), sent.expected)
        << (sent.origin ? sent.origin : "-") << " " << (sent.site ? sent.site : "-");
  }
}

// The browser has compared with the address that it asked for itself.
TEST(PageOrigin, ABrowserThatSaysSoIsBelievedBehindAProxyThatHidesItsName) {
  const auto exchange = exchange_with({"https://voice.example", "same-origin"});
  EXPECT_EQ(page_origin(exchange), PageOrigin::same);
}

TEST(PageOrigin, KnowsTheSchemeThatATrustedProxyTells) {
  auto exchange = exchange_with({"https://localhost:8080"});
  exchange.forwarded.scheme = "https";
  EXPECT_EQ(page_origin(exchange), PageOrigin::same);
}

TEST(PageOrigin, WhatChangesSomethingMustBeOurOwnPages) {
  for (const auto method :
       {http::verb::post, http::verb::patch, http::verb::put, http::verb::delete_}) {
    EXPECT_TRUE(check_page_origin(exchange_with({"http://localhost:8080"}, method)));
    EXPECT_FALSE(check_page_origin(exchange_with({nullptr}, method)));
    EXPECT_FALSE(check_page_origin(exchange_with({nullptr, "none"}, method)));
    EXPECT_FALSE(check_page_origin(exchange_with({"http://localhost:3000"}, method)));
  }
}

TEST(PageOrigin, WhatReadsMayComeFromNoPageButFromNoOtherOne) {
  for (const auto method : {http::verb::get, http::verb::head}) {
    EXPECT_TRUE(check_page_origin(exchange_with({nullptr}, method)));
    EXPECT_TRUE(check_page_origin(exchange_with({nullptr, "none"}, method)));
    EXPECT_FALSE(check_page_origin(exchange_with({nullptr, "same-site"}, method)));
    const auto other = check_page_origin(exchange_with({"http://localhost:3000"}, method));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, errc::forbidden);
  }
}

TEST(PageOrigin, AWebSocketCountsAsWhatChangesSomething) {
  auto untold = exchange_with({nullptr}, http::verb::get);
  untold.fields.set(http::field::upgrade, "websocket");
  EXPECT_FALSE(check_page_origin(untold));
  auto own = exchange_with({"http://localhost:8080"}, http::verb::get);
  own.fields.set(http::field::upgrade, "websocket");
  EXPECT_TRUE(check_page_origin(own));
}

}  // namespace
}  // namespace server
