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

}  // namespace
}  // namespace server
