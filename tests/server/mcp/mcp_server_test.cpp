#include "server/mcp/mcp_server.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/server/mcp/test_calls.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::Json;

class McpServerTest : public testing::Test {
 protected:
  McpServerTest() { make(calls); }

  void make(CallHandler& handler) {
    server = std::make_unique<McpServer>(
        io.get_executor(), calls.features(), handler,
        [this](const Json& message) { sent.push_back(message); },
        McpServer::Settings{.principal = "ada", .revision = "2025-11-25"});
  }
  void call(const char* tool, int id) {
    server->receive_value(protocol::jsonrpc::request_message(id, "tools/call", {{"name", tool}}));
  }
  // Runs handlers until none is ready.
  void settle() {
    io.restart();
    io.poll();
  }
  void wait_for_answers(std::size_t count) {
    test::run_until(io, [&] { return sent.size() == count; });
  }
  void wait_for_ends() {
    test::run_until(io, [&] { return server->calls() == 0; });
  }

  asio::io_context io;
  test::TestCalls calls;
  std::vector<Json> sent;
  std::unique_ptr<McpServer> server;
};

TEST_F(McpServerTest, CallsRunBesideEachOther) {
  call("slow", 1);
  call("quick", 2);
  wait_for_answers(1);
  EXPECT_EQ(sent[0]["id"], 2);
  EXPECT_EQ(sent[0]["result"]["content"][0]["text"], "done for ada");
  calls.release();
  wait_for_answers(2);
  EXPECT_EQ(sent[1]["id"], 1);
  wait_for_ends();
}

TEST_F(McpServerTest, ACancelledCallEndsWithoutAnAnswer) {
  call("slow", 7);
  settle();
  ASSERT_TRUE(calls.was_begun());
  server->receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                  R"("params":{"requestId":7}})");
  wait_for_ends();
  EXPECT_TRUE(calls.was_cancelled());
  EXPECT_TRUE(sent.empty());
}

TEST_F(McpServerTest, OneClientHasOnlySoManyCallsAtOnce) {
  constexpr int most = 64;
  for (int id = 1; id <= most; ++id) call("slow", id);
  EXPECT_EQ(server->calls(), std::size_t{most});
  call("quick", most + 1);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0]["id"], most + 1);
  EXPECT_EQ(sent[0]["result"]["isError"], true);
  calls.release();
  wait_for_answers(most + 1);
  wait_for_ends();
  call("quick", most + 2);
  wait_for_answers(most + 2);
  EXPECT_FALSE(sent.back()["result"].value("isError", false));
}

TEST_F(McpServerTest, AHandlerThatFailsIsAnErrorOfItsCallAlone) {
  class Failing final : public CallHandler {
   public:
    asio::awaitable<test::mcp::Outcome> answer(const test::mcp::Call&, CallContext&) override {
      throw std::runtime_error("out of order");
    }
  };
  Failing failing;
  make(failing);
  call("quick", 1);
  call("quick", 2);
  wait_for_answers(2);
  for (const Json& answer : sent) {
    EXPECT_EQ(answer["error"]["code"], protocol::jsonrpc::internal_error);
    EXPECT_EQ(answer["error"]["message"], "Out of order.");
  }
}

TEST_F(McpServerTest, NothingIsTakenOrSentAfterItsEnd) {
  call("slow", 1);
  settle();
  server->close();
  call("quick", 2);
  server->receive("{}");
  wait_for_ends();
  EXPECT_TRUE(calls.was_cancelled());
  EXPECT_TRUE(sent.empty());
}

TEST_F(McpServerTest, CallsKnowWhetherTheyAreCancelledOrLetGo) {
  call("slow", 1);
  settle();
  server->let_go();
  wait_for_ends();
  EXPECT_TRUE(calls.was_let_go(1));
}

TEST_F(McpServerTest, MayGoBeforeItsCalls) {
  call("slow", 1);
  settle();
  ASSERT_TRUE(calls.was_begun());
  server.reset();
  settle();
  EXPECT_TRUE(calls.was_cancelled());
  EXPECT_TRUE(sent.empty());
}

}  // namespace
}  // namespace server
