#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

class McpRoute : public test::ApiFixture {
 protected:
  McpRoute() {
    api.mcp = [this](Exchange& exchange, std::string principal,
                     McpCharge charge) -> asio::awaitable<void> {
      callers.push_back(std::move(principal));
      if (auto refusal = charge(calls)) {
        co_await exchange.send(*std::move(refusal));
        co_return;
      }
      Response response{.body = "from MCP"};
      co_await exchange.send(std::move(response));
    };
  }

  std::vector<std::string> callers;
  std::size_t calls = 1;
};

TEST_F(McpRoute, PassesEveryMethodOnWithWhoAsks) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  for (const auto method : {http::verb::post, http::verb::get, http::verb::delete_}) {
    FakeExchange exchange(method, "/mcp");
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
    EXPECT_EQ(ask(exchange).answer.body, "from MCP");
  }
  EXPECT_EQ(callers, (std::vector<std::string>{"ada", "ada", "ada"}));
}

TEST_F(McpRoute, TheCallsOfABatchCountAsRequests) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada requests_per_minute=10"));
  const auto status = [&](std::size_t batch) {
    calls = batch;
    FakeExchange exchange(http::verb::post, "/mcp");
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
    return status_of(ask(exchange));
  };
  EXPECT_EQ(status(11), 429U) << "more than fit in a minute";
  EXPECT_EQ(status(4), 200U);
  EXPECT_EQ(status(4), 200U);
  EXPECT_EQ(status(4), 429U) << "one is left";
  EXPECT_EQ(status(1), 429U);
}

TEST_F(McpRoute, IsForThoseWhoMayTranscribe) {
  ASSERT_TRUE(keys.add_lines("eve secret-key-of-eve [read_status]"));
  FakeExchange stranger(http::verb::post, "/mcp");
  EXPECT_EQ(status_of(ask(stranger)), 401U);
  FakeExchange without_right(http::verb::post, "/mcp");
  without_right.fields.set(http::field::authorization, "Bearer secret-key-of-eve");
  EXPECT_EQ(status_of(ask(without_right)), 403U);
  EXPECT_TRUE(callers.empty());
}

}  // namespace
}  // namespace server
