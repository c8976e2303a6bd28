#include <gtest/gtest.h>

#include "tests/protocol/mcp/client.h"

namespace protocol::mcp {
namespace {

Json answer_to(const std::string& question) {
  return jsonrpc::result_message(question, {{"action", "accept"}});
}

class Questions : public testing::Test {
 protected:
  Questions() {
    client.initialize();
    call = Client::only_call(client.request("tools/call", {{"name", "greet"}}));
  }

  Client client{};
  Call call{};
};

TEST_F(Questions, GoOutUnderTheirIdAndComeBackToTheirCall) {
  const auto sent = client.connection.ask(call.id, "q1", "elicitation/create", {{"message", "?"}});
  const Json asked = Client::only_message(sent);
  EXPECT_EQ(asked["id"], "q1");
  EXPECT_EQ(asked["method"], "elicitation/create");
  EXPECT_EQ(std::get<Send>(sent[0]).request, client.last_id);
  EXPECT_TRUE(client.connection.has_asked("q1"));
  const auto actions = client.send(answer_to("q1"));
  ASSERT_EQ(actions.size(), 1u);
  const auto& answered = std::get<Answered>(actions[0]);
  EXPECT_EQ(answered.call, call.id);
  EXPECT_EQ(answered.question, "q1");
  EXPECT_EQ((*answered.answer)["action"], "accept");
}

TEST_F(Questions, AnErrorOfTheClientIsAnAnswerToo) {
  client.connection.ask(call.id, "q1", "roots/list", Json::object());
  const auto actions = client.send(jsonrpc::error_message("q1", {-1, "user rejected", {}}));
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(std::get<Answered>(actions[0]).answer.error().message, "User rejected.");
}

TEST_F(Questions, AreAnsweredOnceAndByTheirIdOnly) {
  client.connection.ask(call.id, "q1", "roots/list", Json::object());
  EXPECT_TRUE(client.send(answer_to("q2")).empty());
  EXPECT_EQ(client.send(answer_to("q1")).size(), 1u);
  EXPECT_TRUE(client.send(answer_to("q1")).empty());
}

TEST_F(Questions, EndWithTheirCall) {
  client.connection.ask(call.id, "q1", "roots/list", Json::object());
  client.connection.finish(call.id, tool_result("done"));
  EXPECT_FALSE(client.connection.has_asked("q1"));
  EXPECT_TRUE(client.connection.is_idle());
}

TEST_F(Questions, OfACancelledCallAreForgotten) {
  client.connection.ask(call.id, "q1", "roots/list", Json::object());
  client.send(
      jsonrpc::notification_message("notifications/cancelled", {{"requestId", client.last_id}}));
  EXPECT_TRUE(client.send(answer_to("q1")).empty());
}

TEST_F(Questions, AreNotForModernClients) {
  const Call modern = Client::only_call(client.modern("tools/call", {{"name", "greet"}}));
  EXPECT_TRUE(client.connection.ask(modern.id, "q1", "roots/list", Json::object()).empty());
  EXPECT_FALSE(client.connection.has_asked("q1"));
}

}  // namespace
}  // namespace protocol::mcp
