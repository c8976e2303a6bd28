#include "server/mcp/http_endpoint.h"

#include <gtest/gtest.h>

#include "tests/server/mcp/http_endpoint_fixture.h"

namespace server {
namespace {

using namespace test;
namespace jsonrpc = protocol::jsonrpc;

TEST_F(HttpEndpoint, AnswersWithJsonWhereNothingComesBefore) {
  for (const auto& call : {legacy_call("quick", 1, "X-User: ada\r\n"), modern_call("quick")}) {
    const auto answer = answer_to(call);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
    EXPECT_NE(answer.find("application/json"), answer.npos);
    EXPECT_NE(answer.find("done for "), answer.npos);
  }
}

TEST_F(HttpEndpoint, TellsProgressOnAStreamThatEndsWithTheResult) {
  auto client = sent(legacy_call("telling"));
  const auto answer = client.read_until("done for");
  EXPECT_NE(answer.find("text/event-stream"), answer.npos);
  EXPECT_LT(answer.find("notifications/progress"), answer.find("done for"));
}

TEST_F(HttpEndpoint, KeepsProgressFromClientsThatTakeNoStream) {
  std::string call = legacy_call("telling");
  call.replace(call.find(", text/event-stream"), 19, "");
  const auto answer = answer_to(call);
  EXPECT_NE(answer.find("application/json"), answer.npos);
  EXPECT_EQ(answer.find("notifications/progress"), answer.npos);
}

TEST_F(HttpEndpoint, AnswersWhatIsNotARequestWithItsStatus) {
  struct Case {
    std::string request;
    const char* status;
  };
  const Json unknown = jsonrpc::request_message(1, "no/such", modern(Json::object()));
  for (const auto& c :
       {Case{"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n", "405"},
        Case{"DELETE /mcp HTTP/1.1\r\nHost: x\r\n\r\n", "405"},
        Case{"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", "415"},
        Case{post(Json("text")), "400"},
        Case{post(jsonrpc::notification_message("notifications/initialized", Json::object())),
             "202"},
        Case{post(jsonrpc::result_message("nobody asked", Json::object())), "202"},
        Case{post(unknown, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: no/such\r\n"), "404"},
        Case{post(unknown), "400"}}) {
    const auto answer = answer_to(c.request);
    EXPECT_EQ(answer.substr(9, 3), c.status) << c.request << "\n" << answer;
  }
}

TEST_F(HttpEndpoint, OnlySoundMayMakeAMessageLong) {
  const auto with = [](const char* name, std::size_t bytes) {
    const Json params{{"name", "quick"}, {"arguments", {{name, std::string(bytes, 'A')}}}};
    return post(jsonrpc::request_message(1, "tools/call", params),
                "MCP-Protocol-Version: 2025-11-25\r\n");
  };
  EXPECT_TRUE(answer_to(with("path", 100'000)).starts_with("HTTP/1.1 200 "));
  EXPECT_TRUE(answer_to(with("path", 1'000'000)).starts_with("HTTP/1.1 413 "));
  EXPECT_TRUE(answer_to(with("audio_base64", 1'000'000)).starts_with("HTTP/1.1 200 "));
}

TEST_F(HttpEndpoint, ABatchIsChargedByItsCallsAndRefusedAsAWhole) {
  const auto batch = [](int calls) {
    Json all = Json::array();
    for (int id = 0; id < calls; ++id) {
      all.push_back(jsonrpc::request_message(id, "tools/call", {{"name", "quick"}}));
    }
    all.push_back(jsonrpc::notification_message("notifications/initialized", Json::object()));
    return post(all, "MCP-Protocol-Version: 2025-03-26\r\n");
  };
  may_call = 3;
  const auto answer = answer_to(batch(3));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
  const auto refused = answer_to(batch(4));
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 429 ")) << refused;
  EXPECT_EQ(refused.find("done for"), refused.npos);
  EXPECT_TRUE(answer_to(legacy_call("quick")).starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(charged, (std::vector<std::size_t>{3, 4})) << "a single call came as a request";
}

TEST_F(HttpEndpoint, AModernClientThatLeavesEndsItsCall) {
  auto client = sent(modern_call("slow"));
  ASSERT_TRUE(calls.was_begun());
  client.close();
  EXPECT_TRUE(calls.was_cancelled());
}

TEST_F(HttpEndpoint, TheCallOfALegacyClientThatLeavesGoesOn) {
  auto client = sent(legacy_call("slow"));
  ASSERT_TRUE(calls.was_begun());
  client.close();
  // Another answer shows that the server has noticed the end of the first connection, or soon will.
  answer_to(legacy_call("quick"));
  calls.release();
  EXPECT_TRUE(calls.has_finished());
}

TEST_F(HttpEndpoint, ACancellationInAnotherPostEndsTheCallOfTheSameUserOnly) {
  auto client = sent(legacy_call("slow", 7, "X-User: ada\r\n"));
  ASSERT_TRUE(calls.was_begun());
  answer_to(cancellation(7, "X-User: bob\r\n"));
  answer_to(cancellation(8, "X-User: ada\r\n"));
  calls.release();
  EXPECT_NE(client.read_answer().find("done for ada"), std::string::npos);
}

TEST_F(HttpEndpoint, ACancelledCallIsNotAnswered) {
  auto client = sent(legacy_call("slow", 7, "X-User: ada\r\n"));
  ASSERT_TRUE(calls.was_begun());
  answer_to(cancellation(7, "X-User: ada\r\n"));
  EXPECT_TRUE(calls.was_cancelled());
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 202"));
}

TEST_F(HttpEndpoint, ACancellationThatTwoCallsCouldMeanEndsNeither) {
  auto first = sent(legacy_call("slow", 7));
  auto second = sent(legacy_call("slow", 7));
  ASSERT_TRUE(calls.was_begun(2));
  answer_to(cancellation(7));
  calls.release();
  EXPECT_NE(first.read_answer().find("done"), std::string::npos);
  EXPECT_NE(second.read_answer().find("done"), std::string::npos);
}

TEST_F(HttpEndpoint, AnAnswerInAnotherPostReachesTheCallThatAsked) {
  auto client = sent(legacy_call("asking", 1, "X-User: ada\r\n"));
  const auto asked = client.read_until("\n\n");
  const auto begin = asked.find("data: ") + 6;
  const Json question = Json::parse(asked.substr(begin, asked.find('\n', begin) - begin));
  EXPECT_EQ(question["method"], "roots/list");
  const auto reply = [&](const char* said, const char* user) {
    return post(jsonrpc::result_message(question["id"], {{"roots", said}}),
                std::string("X-User: ") + user + "\r\n");
  };
  answer_to(reply("forged", "bob"));
  answer_to(reply("true", "ada"));
  const auto result = client.read_until("true");
  EXPECT_NE(result.find("roots"), result.npos) << result;
  EXPECT_EQ(result.find("forged"), result.npos);
}

TEST_F(HttpEndpoint, ASubscriptionHearsUntilTheServerEnds) {
  const Json wanted{{"notifications", {{"resourceSubscriptions", {"t://1"}}}}};
  auto client =
      sent(post(jsonrpc::request_message(5, "subscriptions/listen", modern(wanted)),
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"));
  const auto first = client.read_until("\n\n");
  EXPECT_NE(first.find("notifications/subscriptions/acknowledged"), first.npos) << first;
  server.on_thread([this](HttpServer&) {
    endpoint->resource_updated("", "t://2");
    endpoint->resource_updated("bob", "t://1");
    endpoint->resource_updated("", "t://1");
    endpoint->close();
  });
  const auto rest = client.read_until("\"complete\"");
  EXPECT_NE(rest.find("t://1"), rest.npos) << rest;
  EXPECT_EQ(rest.find("t://2"), rest.npos) << rest;
}

TEST_F(HttpEndpoint, ASubscriptionHearsNothingOfOthers) {
  const Json wanted{{"notifications", {{"resourcesListChanged", true}}}};
  const auto listen = [&](const std::string& user) {
    auto client = sent(post(jsonrpc::request_message(5, "subscriptions/listen", modern(wanted)),
                            "MCP-Protocol-Version: 2026-07-28\r\n"
                            "Mcp-Method: subscriptions/listen\r\nX-User: " +
                                user + "\r\n"));
    client.read_until("acknowledged");
    return client;
  };
  auto ada = listen("ada"), bob = listen("bob");
  server.on_thread([this](HttpServer&) {
    endpoint->resources_changed("ada");
    endpoint->close();
  });
  EXPECT_NE(ada.read_until("\"complete\"").find("list_changed"), std::string::npos);
  EXPECT_EQ(bob.read_until("\"complete\"").find("list_changed"), std::string::npos);
}

TEST_F(HttpEndpoint, ABatchIsAnsweredByOneFlatList) {
  const auto answers_to = [this](const Json& batch) {
    const auto answer = answer_to(post(batch, "MCP-Protocol-Version: 2025-03-26\r\n"));
    return Json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  };
  const Json call = jsonrpc::request_message(1, "tools/call", {{"name", "quick"}});
  const Json answers = answers_to({call, call, call});
  ASSERT_EQ(answers.size(), 3U) << answers;
  for (const auto& one : answers) EXPECT_EQ(one["id"], 1) << answers;
  EXPECT_EQ(answers_to(Json::array({call}))[0]["id"], 1) << "also of one";
}

TEST_F(HttpEndpoint, AnswersCallsThatAreOpenWhenItEnds) {
  auto client = sent(legacy_call("slow"));
  ASSERT_TRUE(calls.was_begun());
  server.on_thread([this](HttpServer&) { endpoint->close(); });
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 503"));
  EXPECT_TRUE(calls.was_cancelled());
}

}  // namespace
}  // namespace server
