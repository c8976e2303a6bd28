#include "protocol/jsonrpc.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/jsonrpc_id.h"

namespace protocol::jsonrpc {
namespace {

Parsed<Message> parse_text(const std::string& text) {
  const auto value = parse_json(text);
  if (!value) return value.error();
  return parse(*value);
}

TEST(JsonRpc, ReadsRequestsNotificationsAndResponses) {
  const auto request = parse_text(R"({"jsonrpc":"2.0","id":0,"method":"m","params":{"a":1}})");
  EXPECT_EQ(std::get<Request>(*request).id, 0);
  EXPECT_EQ(std::get<Request>(*request).params["a"], 1);
  const auto bare = parse_text(R"({"jsonrpc":"2.0","id":"","method":"m"})");
  EXPECT_EQ(std::get<Request>(*bare).id, "");
  EXPECT_TRUE(std::get<Request>(*bare).params.is_object());
  const auto notice = parse_text(R"({"jsonrpc":"2.0","method":"n"})");
  EXPECT_EQ(std::get<Notification>(*notice).method, "n");
  const auto result = parse_text(R"({"jsonrpc":"2.0","id":"s1","result":null})");
  EXPECT_FALSE(std::get<Response>(*result).error);
  const auto error =
      parse_text(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no","data":[2]}})");
  EXPECT_EQ(std::get<Response>(*error).error->data[0], 2);
}

TEST(JsonRpc, RefusesWhatIsNoMessageAndNamesItsId) {
  struct Case {
    const char* text;
    int code;
    Json id;
  };
  const Case cases[] = {
      {"", parse_error, {}},
      {"{", parse_error, {}},
      {"\"text\"", invalid_request, {}},
      {"{}", invalid_request, {}},
      {R"({"jsonrpc":"1.0","id":4,"method":"m"})", invalid_request, 4},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", invalid_request, {}},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", invalid_request, {}},
      {R"({"jsonrpc":"2.0","id":5,"method":7})", invalid_request, 5},
      {R"({"jsonrpc":"2.0","id":6,"method":"m","params":[1]})", invalid_params, 6},
      {R"({"jsonrpc":"2.0","id":7})", invalid_request, 7},
      {R"({"jsonrpc":"2.0","id":8,"result":1,"error":{}})", invalid_request, 8},
      {R"({"jsonrpc":"2.0","id":9,"error":{"code":"x"}})", invalid_request, 9},
  };
  for (const auto& c : cases) {
    const auto message = parse_text(c.text);
    ASSERT_FALSE(message) << c.text;
    EXPECT_EQ(message.error().error.code, c.code) << c.text;
    EXPECT_EQ(message.error().id, c.id) << c.text;
    EXPECT_NE(message.error().error.message, "") << c.text;
  }
}

TEST(JsonRpc, RefusesIdsThatAreLongerThanNames) {
  const auto ping = [](std::size_t bytes) {
    return parse(Json{{"jsonrpc", "2.0"}, {"id", std::string(bytes, 'i')}, {"method", "ping"}});
  };
  EXPECT_TRUE(ping(max_id_bytes));
  ASSERT_FALSE(ping(max_id_bytes + 1));
  EXPECT_EQ(ping(max_id_bytes + 1).error().error.code, invalid_request);
  EXPECT_EQ(ping(max_id_bytes + 1).error().id, Json());
}

TEST(JsonRpc, RefusesNestingThatIsTooDeep) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const auto value = parse_json(deep);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().error.code, parse_error);
}

TEST(JsonRpc, RefusesMoreValuesThanMessagesHave) {
  const auto pings = [](int count) {
    std::string text = "[1";
    for (int i = 1; i < count; ++i) text += ",{}";
    return parse_json(text + "]");
  };
  EXPECT_EQ(pings(9'999)->size(), 9'999u);
  ASSERT_FALSE(pings(10'000));
  EXPECT_EQ(pings(10'000).error().error.code, parse_error);
  EXPECT_EQ(pings(10'000).error().error.message,
            "The JSON has more than 10000 values. Send one JSON-RPC message.");
}

}  // namespace
}  // namespace protocol::jsonrpc
