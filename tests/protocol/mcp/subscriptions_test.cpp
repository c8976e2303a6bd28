#include <gtest/gtest.h>

#include "tests/protocol/mcp/client.h"

namespace protocol::mcp {
namespace {

constexpr char subscription_key[] = "io.modelcontextprotocol/subscriptionId";

TEST(LegacySubscriptions, HearOfTheirResourcesAndOfTheList) {
  Client client;
  client.initialize();
  EXPECT_EQ(client.ask("resources/subscribe", {{"uri", "t://1"}})["result"], Json::object());
  EXPECT_EQ(Client::only_message(client.connection.resource_updated("t://1"))["params"]["uri"],
            "t://1");
  EXPECT_TRUE(client.connection.resource_updated("t://2").empty());
  client.ask("resources/unsubscribe", {{"uri", "t://1"}});
  EXPECT_TRUE(client.connection.resource_updated("t://1").empty());
  EXPECT_EQ(Client::only_message(client.connection.resources_changed())["method"],
            "notifications/resources/list_changed");
}

TEST(ModernSubscriptions, AreAcknowledgedWithWhatIsAgreed) {
  Client client;
  const Json notice =
      client.ask_modern("subscriptions/listen", {{"notifications",
                                                  {{"resourcesListChanged", true},
                                                   {"toolsListChanged", true},
                                                   {"resourceSubscriptions", {"t://1"}}}}});
  EXPECT_EQ(notice["method"], "notifications/subscriptions/acknowledged");
  EXPECT_EQ(notice["params"]["_meta"][subscription_key], client.last_id);
  const Json agreed = notice["params"]["notifications"];
  EXPECT_TRUE(agreed.contains("resourcesListChanged"));
  EXPECT_FALSE(agreed.contains("toolsListChanged"));
  EXPECT_EQ(agreed["resourceSubscriptions"], Json({"t://1"}));
}

TEST(ModernSubscriptions, HearOnlyOfWhatTheyNamed) {
  Client client;
  client.ask_modern("subscriptions/listen",
                    {{"notifications", {{"resourceSubscriptions", {"t://1"}}}}});
  const Json updated = Client::only_message(client.connection.resource_updated("t://1"));
  EXPECT_EQ(updated["params"]["_meta"][subscription_key], client.last_id);
  EXPECT_TRUE(client.connection.resource_updated("t://2").empty());
  EXPECT_TRUE(client.connection.resources_changed().empty());
}

TEST(ModernSubscriptions, EndByCancellingOrWithTheServersLastWord) {
  Client client;
  const Json wanted{{"notifications", {{"resourcesListChanged", true}}}};
  client.ask_modern("subscriptions/listen", wanted);
  client.send(
      jsonrpc::notification_message("notifications/cancelled", {{"requestId", client.last_id}}));
  EXPECT_TRUE(client.connection.resources_changed().empty());
  client.ask_modern("subscriptions/listen", wanted);
  const Json end = Client::only_message(client.connection.close());
  EXPECT_EQ(end["id"], client.last_id);
  EXPECT_EQ(end["result"]["resultType"], "complete");
  EXPECT_EQ(end["result"]["_meta"][subscription_key], client.last_id);
}

TEST(Closing, AbandonsCalls) {
  Client client;
  client.initialize();
  const Call call = Client::only_call(client.request("tools/call", {{"name", "greet"}}));
  const auto actions = client.connection.close();
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(std::get<Abandon>(actions[0]).call, call.id);
}

}  // namespace
}  // namespace protocol::mcp
