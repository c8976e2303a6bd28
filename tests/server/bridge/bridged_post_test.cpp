#include "server/bridge/bridged_post.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace server::bridge {
namespace {

bool has(const std::vector<std::string>& headers, const std::string& one) {
  return std::ranges::find(headers, one) != headers.end();
}

Json modern_call() {
  return {{"jsonrpc", "2.0"},
          {"id", 1},
          {"method", "tools/call"},
          {"params",
           {{"name", "status"},
            {"_meta", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}}}}}};
}

TEST(BridgedPost, ALegacyClientsRevisionIsTheNegotiatedOne) {
  const Json message{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}};
  EXPECT_TRUE(has(headers_of(message, "2025-06-18"), "MCP-Protocol-Version: 2025-06-18"));
  EXPECT_FALSE(has(headers_of(message, "2025-06-18"), "Mcp-Method: tools/list"));
}

TEST(BridgedPost, BeforeThatNoneIsNamed) {
  const auto headers = headers_of({{"id", 1}, {"method", "initialize"}}, "");
  EXPECT_EQ(headers, (std::vector<std::string>{"Content-Type: application/json",
                                               "Accept: application/json, text/event-stream"}));
}

TEST(BridgedPost, AModernRequestIsRepeatedInHeaders) {
  const auto headers = headers_of(modern_call(), "2025-06-18");
  EXPECT_TRUE(has(headers, "MCP-Protocol-Version: 2026-07-28"));
  EXPECT_TRUE(has(headers, "Mcp-Method: tools/call"));
  EXPECT_TRUE(has(headers, "Mcp-Name: status"));
}

TEST(BridgedPost, ANameThatNoHeaderCanCarryIsWrapped) {
  Json message = modern_call();
  message["params"]["name"] = "st\xc3\xa4tus\n";
  EXPECT_TRUE(has(headers_of(message, ""), "Mcp-Name: =?base64?c3TDpHR1cwo=?="));
}

TEST(BridgedPost, WhatIsNoRequestHasNoMirrors) {
  Json notification = modern_call();
  notification.erase("id");
  EXPECT_FALSE(has(headers_of(notification, ""), "Mcp-Method: tools/call"));
  EXPECT_EQ(headers_of(Json(), "").size(), 2U);
}

}  // namespace
}  // namespace server::bridge
