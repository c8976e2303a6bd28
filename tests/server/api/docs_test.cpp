#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using Docs = test::ApiFixture;
using test::FakeExchange;

TEST_F(Docs, NameEveryRoute) {
  const std::string page = get("/docs").answer.body;
  for (const char* path : {"/v1/audio/transcriptions", "/v1/jobs/{id}/events", "/mcp"}) {
    EXPECT_NE(page.find(path), page.npos) << path;
  }
}

TEST_F(Docs, TakeTheirStyleFromThisServerAlone) {
  const auto page = get("/docs");
  EXPECT_EQ(page.header("content-security-policy"), "default-src 'none'; style-src 'self'");
  EXPECT_NE(page.answer.body.find("href=\"docs/style.css\""), std::string::npos);
  EXPECT_EQ(get("/docs/style.css").answer.content_type, "text/css; charset=utf-8");
}

TEST_F(Docs, HaveNoOtherFiles) {
  for (const char* path : {"/docs/other.css", "/docs/style.css/x"}) {
    const auto answer = get(path);
    EXPECT_EQ(status_of(answer), 404U) << path;
    EXPECT_EQ(error_of(answer), errc::route_not_found);
  }
}

TEST_F(Docs, AreNotSentAgainToWhoeverHasThem) {
  for (const char* path : {"/docs", "/docs/style.css", "/openapi.json"}) {
    FakeExchange again(http::verb::get, path);
    again.fields.set(http::field::if_none_match, get(path).header("etag"));
    EXPECT_EQ(status_of(ask(again)), 304U) << path;
    EXPECT_EQ(again.answer.body, "") << path;
  }
}

}  // namespace
}  // namespace server
