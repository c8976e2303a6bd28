#include "server/api/door_errors.h"

#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;

// Requests that are refused before any handler sees them.
class DoorErrors : public test::ApiFixture {
 protected:
  FakeExchange from_elsewhere(const std::string& path, Headers query = {}) {
    FakeExchange exchange(http::verb::post, path);
    exchange.fields.set(http::field::host, "evil.example");
    exchange.queries = std::move(query);
    ask(exchange);
    EXPECT_EQ(status_of(exchange), 403U) << path;
    return exchange;
  }
};

TEST_F(DoorErrors, AreInTheShapeThatClientsOfThePathRead) {
  EXPECT_TRUE(json_of(from_elsewhere("/v1/audio/transcriptions"))["error"]["message"].is_string());
  EXPECT_TRUE(json_of(from_elsewhere("/v1/listen"))["err_msg"].is_string());
  EXPECT_TRUE(json_of(from_elsewhere("/inference"))["error"].is_string());
  EXPECT_TRUE(json_of(from_elsewhere("/asr"))["detail"].is_string());
  EXPECT_TRUE(json_of(from_elsewhere("/detect-language"))["detail"].is_string());
  EXPECT_EQ(from_elsewhere("/asr", {{"output", "srt"}}).answer.body, "")
      << "Bazarr would store it as the subtitle";
}

TEST_F(DoorErrors, OfKeysAndMethodsKeepTheirStatusAndFields) {
  FakeExchange wrong_method(http::verb::delete_, "/v1/listen");
  EXPECT_EQ(status_of(ask(wrong_method)), 405U);
  EXPECT_EQ(wrong_method.header("allow"), "GET, POST");
  EXPECT_TRUE(json_of(wrong_method)["err_msg"].is_string());
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  FakeExchange without_key(http::verb::post, "/asr");
  EXPECT_EQ(status_of(ask(without_key)), 401U);
  EXPECT_NE(without_key.header("www-authenticate"), "");
  EXPECT_TRUE(json_of(without_key)["detail"].is_string());
}

}  // namespace
}  // namespace server
