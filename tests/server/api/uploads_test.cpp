#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"

namespace server {
namespace {

using test::FakeExchange;
using test::form_field;
using test::form_file;

class UploadRoutes : public test::ApiFixture {
 protected:
  FakeExchange send(const std::string& parts) {
    FakeExchange exchange = test::form_request("/v1/uploads", parts);
    ask(exchange);
    return exchange;
  }
};

TEST_F(UploadRoutes, KeepWhatIsSent) {
  const auto answer = send(form_file("some sound", "talk.mp3"));
  ASSERT_EQ(status_of(answer), 201U) << answer.answer.body;
  const auto upload = json_of(answer);
  EXPECT_EQ(upload["filename"], "talk.mp3");
  EXPECT_EQ(upload["bytes"], 10);
  const auto kept = uploads.find(upload["id"], "local");
  ASSERT_TRUE(kept);
  EXPECT_FALSE(uploads.find(upload["id"], "bob"));
}

TEST_F(UploadRoutes, TakeAFileAndNothingElse) {
  EXPECT_EQ(status_of(send(form_field("other", "x"))), 400U);
  EXPECT_EQ(status_of(send(form_file("x", "a") + form_field("model", "base"))), 400U);
  EXPECT_EQ(status_of(send(form_file("x", "a") + form_file("y", "b"))), 400U);
}

TEST_F(UploadRoutes, AreListedInPagesAndByTheirNames) {
  const std::string first = json_of(send(form_file("x", "Talk.mp3")))["id"];
  const std::string second = json_of(send(form_file("y", "call.wav")))["id"];
  const auto page = [&](Headers queries) {
    FakeExchange exchange(http::verb::get, "/v1/uploads");
    exchange.queries = std::move(queries);
    ask(exchange);
    return json_of(exchange);
  };
  EXPECT_EQ(page({})["data"].size(), 2U);
  const auto one = page({{"limit", "1"}});
  EXPECT_EQ(one["has_more"], true);
  const auto rest = page({{"limit", "1"}, {"after", one["data"][0]["id"].get<std::string>()}});
  EXPECT_EQ(rest["data"].size(), 1U);
  EXPECT_EQ(rest["has_more"], false);
  EXPECT_NE(rest["data"][0]["id"], one["data"][0]["id"]);
  const auto named = page({{"q", "tALK"}});
  ASSERT_EQ(named["data"].size(), 1U);
  EXPECT_EQ(named["data"][0]["id"], first);
  EXPECT_EQ(named["data"][0]["handle"], "upload://" + first);
  EXPECT_EQ(page({{"after", "none"}})["error"]["param"], "after");
}

TEST_F(UploadRoutes, ForgetAnUploadOnce) {
  const std::string id = json_of(send(form_file("x", "a")))["id"];
  FakeExchange first(http::verb::delete_, "/v1/uploads/" + id);
  EXPECT_EQ(json_of(ask(first))["deleted"], true);
  FakeExchange second(http::verb::delete_, "/v1/uploads/" + id);
  EXPECT_EQ(status_of(ask(second)), 404U);
}

}  // namespace
}  // namespace server
