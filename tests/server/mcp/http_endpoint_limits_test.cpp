#include <gtest/gtest.h>

#include "server/mcp/http_endpoint.h"
#include "tests/server/mcp/http_endpoint_fixture.h"

namespace server {
namespace {

using namespace test;
namespace jsonrpc = protocol::jsonrpc;

class LongMessages : public HttpEndpoint {
 protected:
  explicit LongMessages(int most_calls = 8)
      : HttpEndpoint({.threads = &threads}), threads(1, most_calls) {}

  static std::string long_call() {
    const Json padding{{"padding", std::string(100'000, 'x')}};
    return post(
        jsonrpc::request_message(1, "tools/call", {{"name", "quick"}, {"arguments", padding}}),
        "MCP-Protocol-Version: 2025-11-25\r\n");
  }

  FairCalls threads;
};

TEST_F(LongMessages, AreAnsweredAsShortOnes) {
  const auto answer = answer_to(long_call());
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_NE(answer.find("done for "), answer.npos);
}

class LongMessagesWithoutAThread : public LongMessages {
 protected:
  LongMessagesWithoutAThread() : LongMessages(0) {}
};

TEST_F(LongMessagesWithoutAThread, AreRefusedWhileShortOnesAreNot) {
  const auto answer = answer_to(long_call());
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 429") || answer.starts_with("HTTP/1.1 503")) << answer;
  EXPECT_NE(answer.find("Retry-After"), answer.npos);
  EXPECT_TRUE(answer_to(legacy_call("quick")).starts_with("HTTP/1.1 200"));
}

class SmallEndpoint : public HttpEndpoint {
 protected:
  SmallEndpoint()
      : HttpEndpoint({.max_requests = 2,
                      .max_left = 2,
                      .body_bytes = 2000,
                      .keep_alive = std::chrono::seconds(1)}) {}
};

constexpr char ada[] = "X-User: ada\r\n", bob[] = "X-User: bob\r\n";

void expect_too_many(const std::string& answer) {
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 429")) << answer;
  EXPECT_NE(answer.find("Retry-After: "), answer.npos) << answer;
}

TEST_F(SmallEndpoint, OpenRequestsOfOneDoNotKeepOthersOut) {
  auto first = sent(legacy_call("slow", 1, ada)), second = sent(legacy_call("slow", 2, ada));
  ASSERT_TRUE(calls.was_begun(2));
  expect_too_many(answer_to(legacy_call("quick", 3, ada)));
  EXPECT_NE(answer_to(legacy_call("quick", 3, bob)).find("done for bob"), std::string::npos);
  EXPECT_TRUE(answer_to(cancellation(1, ada)).starts_with("HTTP/1.1 202"));
  EXPECT_TRUE(calls.was_cancelled());
  first.read_answer();
  EXPECT_NE(answer_to(legacy_call("quick", 3, ada)).find("done for ada"), std::string::npos);
}

TEST_F(SmallEndpoint, ABatchCountsAllOfItsRequests) {
  const Json call = jsonrpc::request_message(1, "tools/call", {{"name", "slow"}});
  auto open = sent(legacy_call("slow", 1, ada));
  ASSERT_TRUE(calls.was_begun());
  expect_too_many(
      answer_to(post({call, call}, std::string("MCP-Protocol-Version: 2025-03-26\r\n") + ada)));
}

TEST_F(SmallEndpoint, OfCallsWhoseClientsHaveLeftTheOldestAreLetGo) {
  for (int i = 1; i <= 10; ++i) {
    auto client = sent(legacy_call("slow", i, ada));
    ASSERT_TRUE(calls.was_begun(i));
    client.close();
    ASSERT_TRUE(calls.was_let_go(i - 2));
  }
  EXPECT_NE(answer_to(legacy_call("quick", 3, ada)).find("done for ada"), std::string::npos);
  EXPECT_NE(answer_to(legacy_call("quick", 3, bob)).find("done for bob"), std::string::npos);
}

TEST_F(SmallEndpoint, RefusesABodyThatIsTooLong) {
  EXPECT_TRUE(answer_to(legacy_call(std::string(3000, 'x'))).starts_with("HTTP/1.1 413"));
}

TEST_F(SmallEndpoint, SendsCommentsWhereNothingElseIsToBeSent) {
  auto client = sent(legacy_call("slow"));
  const auto first = client.read_until("\r\n\r\n");
  EXPECT_NE(first.find("text/event-stream"), first.npos) << first;
  EXPECT_NE(client.read_until("\n: \n").find(": "), std::string::npos);
  calls.release();
  EXPECT_NE(client.read_until("done").find("done"), std::string::npos);
}

class EndpointWithLittleMemory : public HttpEndpoint {
 protected:
  EndpointWithLittleMemory()
      : HttpEndpoint(
            {}, {.held_body_bytes = 1'000'000, .body_patience = std::chrono::milliseconds(30)}) {}
};

TEST_F(EndpointWithLittleMemory, MessagesThatOneSendsSlowlyDoNotKeepOthersOut) {
  const auto begin = [this](const char* user) {
    return sent(std::string("POST /mcp HTTP/1.1\r\nHost: x\r\n") + user +
                "Content-Type: application/json\r\nContent-Length: 500000\r\n"
                "Expect: 100-continue\r\n\r\n");
  };
  auto first = begin(ada);
  ASSERT_NE(first.read_until("\r\n\r\n").find("100 Continue"), std::string::npos);
  auto second = begin(ada);
  expect_too_many(second.read_answer());
  EXPECT_NE(answer_to(legacy_call("quick", 3, ada)).find("done for ada"), std::string::npos);
  EXPECT_NE(answer_to(legacy_call("quick", 3, bob)).find("done for bob"), std::string::npos);
}

// A client that does not read its answer holds it in memory.
TEST_F(EndpointWithLittleMemory, AnAnswerWithoutRoomIsRefused) {
  const auto answer = answer_to(legacy_call("wordy", 7, ada));
  expect_too_many(answer);
  EXPECT_NE(answer.find("\"id\":7"), answer.npos) << answer;
  EXPECT_NE(answer_to(legacy_call("quick", 3, ada)).find("done for ada"), std::string::npos);
}

}  // namespace
}  // namespace server
