#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using Models = test::ApiFixture;
using test::FakeExchange;

TEST_F(Models, AreNoneWhereNoneIsInstalled) {
  const auto list = json_of(get("/v1/models"));
  EXPECT_EQ(list["object"], "list");
  EXPECT_TRUE(list["data"].empty());
  EXPECT_TRUE(json_of(get("/v1/ps"))["models"].empty());
}

TEST_F(Models, ThatAreNotInstalledAreSaidToBeMissing) {
  const auto answer = get("/v1/models/large-v3");
  EXPECT_EQ(status_of(answer), 404U);
  EXPECT_EQ(json_of(answer)["error"]["param"], "model");
}

TEST_F(Models, AreNotLoadedForAKeepAliveThatMeansNothing) {
  for (const char* body : {"[]", "{\"keep\": 1}", "{\"keep_alive\": \"soon\"}", "{"}) {
    FakeExchange exchange(http::verb::post, "/v1/models/base/load");
    exchange.body = body;
    EXPECT_EQ(status_of(ask(exchange)), 400U) << body;
    EXPECT_EQ(json_of(exchange)["error"]["param"], "keep_alive") << body;
  }
}

TEST_F(Models, StatusNamesTheProblemToWhomMayReadIt) {
  EXPECT_EQ(json_of(get("/v1/status"))["problem"], nullptr);
  not_ready = NotReady{"/srv/scribed is full", "the disk is full"};
  const auto status = json_of(get("/v1/status"));
  EXPECT_EQ(status["ready"], false);
  EXPECT_EQ(status["problem"], "/srv/scribed is full");
}

}  // namespace
}  // namespace server
