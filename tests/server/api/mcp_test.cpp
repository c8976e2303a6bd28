#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

class McpRoute : public test::ApiFixture {
 protected:
  McpRoute() {
    api.mcp = [this](Exchange& exchange, std::string principal) -> asio::awaitable<void> {
      callers.push_back(std::move(principal));
      Response response{.body = "from MCP"};
      co_await exchange.send(std::move(response));
    };
  }

  std::vector<std::string> callers;
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
