#include "server/http/static_content.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

Response ask(const StaticContent& content, const std::string& if_none_match) {
  http::fields request;
  if (!if_none_match.empty()) request.set(http::field::if_none_match, if_none_match);
  return content.answer(request);
}

TEST(StaticContent, IsAnsweredWholeWithItsTag) {
  const StaticContent content("body {}", "text/css", {{"x-more", "1"}});
  const auto response = ask(content, "");
  EXPECT_EQ(response.status, http::status::ok);
  EXPECT_EQ(response.body, "body {}");
  EXPECT_EQ(response.content_type, "text/css");
  EXPECT_EQ(header(response, "x-more"), "1");
  EXPECT_EQ(header(response, "cache-control"), "no-cache");
  EXPECT_EQ(header(response, "etag").size(), 34U);
}

TEST(StaticContent, OtherContentHasAnotherTag) {
  EXPECT_NE(header(ask({"a", "text/css"}, ""), "etag"), header(ask({"b", "text/css"}, ""), "etag"));
  EXPECT_EQ(header(ask({"a", "text/css"}, ""), "etag"), header(ask({"a", "text/css"}, ""), "etag"));
}

TEST(StaticContent, IsNotSentAgainToWhoeverHasIt) {
  const StaticContent content("body {}", "text/css");
  const std::string tag = header(ask(content, ""), "etag");
  for (const std::string& list : {tag, "W/" + tag, "\"other\", " + tag, std::string("*")}) {
    const auto response = ask(content, list);
    EXPECT_EQ(response.status, http::status::not_modified) << list;
    EXPECT_EQ(response.body, "") << list;
    EXPECT_EQ(header(response, "etag"), tag) << list;
  }
  EXPECT_EQ(ask(content, "\"other\"").status, http::status::ok);
}

}  // namespace
}  // namespace server
