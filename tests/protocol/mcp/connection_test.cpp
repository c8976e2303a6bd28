#include "protocol/mcp/connection.h"

#include <gtest/gtest.h>

#include "tests/protocol/mcp/client.h"

namespace protocol::mcp {
namespace {

int code_of(const Json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}

TEST(Legacy, EachRevisionIsEchoedAndAnUnknownOneGetsTheNewest) {
  for (const char* revision : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    EXPECT_EQ(Client().initialize(revision)["protocolVersion"], revision);
  }
  for (const char* revision : {"2026-07-28", "2030-01-01", "1"}) {
    EXPECT_EQ(Client().initialize(revision)["protocolVersion"], "2025-11-25");
  }
}

TEST(Legacy, InitializeTellsWhatIsOffered) {
  const Json result = Client().initialize();
  for (const char* capability : {"tools", "prompts", "resources", "completions", "logging"}) {
    EXPECT_TRUE(result["capabilities"].contains(capability)) << capability;
  }
  EXPECT_FALSE(result["capabilities"].contains("extensions"));
  EXPECT_EQ(result["serverInfo"]["name"], "test");
  EXPECT_EQ(result["instructions"], "Use it.");
  EXPECT_FALSE(result.contains("resultType"));
}

TEST(Legacy, OnlyPingIsAnsweredBeforeInitialize) {
  Client client;
  EXPECT_EQ(client.ask("ping")["result"], Json::object());
  EXPECT_EQ(code_of(client.ask("tools/list")), jsonrpc::invalid_request);
  client.initialize();
  EXPECT_TRUE(client.ask("tools/list")["result"]["tools"].is_array());
}

TEST(Legacy, OlderRevisionsDoNotSeeWhatCameLater) {
  struct Case {
    const char* revision;
    bool annotations, title, output_schema;
  };
  for (const auto& c : {Case{"2024-11-05", false, false, false},
                        {"2025-03-26", true, false, false},
                        {"2025-06-18", true, true, true},
                        {"2025-11-25", true, true, true}}) {
    Client client;
    client.initialize(c.revision);
    const Json tool = client.ask("tools/list")["result"]["tools"][0];
    EXPECT_EQ(tool.contains("annotations"), c.annotations) << c.revision;
    EXPECT_EQ(tool.contains("title"), c.title) << c.revision;
    EXPECT_EQ(tool.contains("outputSchema"), c.output_schema) << c.revision;
  }
}

TEST(Legacy, BatchesBelongToOneRevision) {
  const Json batch = {{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}},
                      {{"jsonrpc", "2.0"}, {"method", "notifications/roots/list_changed"}},
                      {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "nothing"}}};
  Client client;
  client.initialize("2025-03-26");
  const Json answers = Client::only_message(client.send(batch));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0]["id"], 1);
  EXPECT_EQ(code_of(answers[1]), jsonrpc::method_not_found);
  Client newer;
  newer.initialize("2025-06-18");
  EXPECT_EQ(code_of(Client::only_message(newer.send(batch))), jsonrpc::invalid_request);
  Json many = Json::array();
  for (int id = 0; id <= 10; ++id) {
    many.push_back({{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}});
  }
  EXPECT_EQ(code_of(Client::only_message(client.send(many))), jsonrpc::invalid_request);
}

TEST(Modern, NeedsNothingBeforehand) {
  Client client;
  const Json discovered = client.ask_modern("server/discover")["result"];
  EXPECT_EQ(discovered["supportedVersions"][0], "2026-07-28");
  EXPECT_TRUE(discovered["capabilities"]["extensions"].contains("io.modelcontextprotocol/tasks"));
  EXPECT_EQ(discovered["resultType"], "complete");
  EXPECT_EQ(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "test");
  for (const char* method :
       {"server/discover", "tools/list", "prompts/list", "resources/templates/list"}) {
    const Json result = client.ask_modern(method)["result"];
    EXPECT_GT(result.value("ttlMs", 0), 0) << method;
    EXPECT_EQ(result["cacheScope"], "public") << method;
  }
}

TEST(Modern, AnEnvelopeThatIsNotWholeIsRefused) {
  Client client;
  Json meta = modern_meta();
  meta.erase("io.modelcontextprotocol/clientCapabilities");
  EXPECT_EQ(code_of(client.ask("tools/list", {{"_meta", meta}})), jsonrpc::invalid_params);
  meta = modern_meta();
  meta["io.modelcontextprotocol/protocolVersion"] = "2099-01-01";
  const Json answer = client.ask("tools/list", {{"_meta", meta}});
  EXPECT_EQ(code_of(answer), -32022);
  EXPECT_EQ(answer["error"]["data"]["requested"], "2099-01-01");
  EXPECT_EQ(answer["error"]["data"]["supported"][0], "2026-07-28");
}

TEST(Modern, WhatWasRemovedIsUnknown) {
  Client client;
  for (const char* method : {"ping", "initialize", "logging/setLevel", "resources/subscribe",
                             "tasks/list", "tasks/result"}) {
    EXPECT_EQ(code_of(client.ask_modern(method)), jsonrpc::method_not_found) << method;
  }
}

TEST(Methods, ThatAreNotOfferedAreUnknown) {
  Features features = some_features();
  features.prompts.clear();
  features.tasks = features.completions = false;
  Client client(features);
  for (const char* method : {"prompts/list", "prompts/get", "tasks/get", "completion/complete"}) {
    EXPECT_EQ(code_of(client.ask_modern(method)), jsonrpc::method_not_found) << method;
  }
}

TEST(Methods, RefuseWrongParameters) {
  Client client;
  client.initialize();
  const std::pair<const char*, Json> cases[] = {
      {"tools/call", Json::object()},
      {"tools/call", {{"name", 5}}},
      {"tools/call", {{"name", "unknown"}}},
      {"tools/call", {{"name", "greet"}, {"arguments", 1}}},
      {"tools/list", {{"cursor", "x"}}},
      {"prompts/get", {{"name", "unknown"}}},
      {"prompts/get", {{"name", "write"}}},
      {"prompts/get", {{"name", "write"}, {"arguments", {{"about", 1}}}}},
      {"resources/read", Json::object()},
      {"completion/complete", {{"ref", {{"type", "ref/other"}}}, {"argument", {{"name", "a"}}}}},
      {"completion/complete",
       {{"ref", {{"type", "ref/prompt"}, {"name", "unknown"}}}, {"argument", {{"name", "a"}}}}},
      {"completion/complete",
       {{"ref", {{"type", "ref/resource"}, {"uri", "x://y"}}}, {"argument", {{"name", "a"}}}}},
      {"logging/setLevel", {{"level", "loud"}}},
      {"tools/list", {{"_meta", {{"progressToken", 1.5}}}}},
      {"tools/list", {{"_meta", {{"progressToken", std::string(1025, 't')}}}}},
  };
  for (const auto& [method, params] : cases) {
    EXPECT_EQ(code_of(client.ask(method, params)), jsonrpc::invalid_params) << method << params;
  }
}

TEST(Calls, AreBegunAndAnsweredUnderTheirId) {
  Client client;
  client.initialize();
  const Call call = Client::only_call(client.send(jsonrpc::request_message(
      "seven", "tools/call", {{"name", "greet"}, {"arguments", {{"who", "Ada"}}}})));
  EXPECT_EQ(std::get<CallTool>(call.work).arguments["who"], "Ada");
  EXPECT_EQ(call.caller.client, "c 1");
  EXPECT_FALSE(call.wants_progress);
  const Json answer = Client::only_message(
      client.connection.finish(call.id, tool_result("Hello", {{"text", "Hello"}})));
  EXPECT_EQ(answer["id"], "seven");
  EXPECT_EQ(answer["result"]["content"][0]["text"], "Hello");
  EXPECT_EQ(answer["result"]["structuredContent"]["text"], "Hello");
  EXPECT_TRUE(client.connection.finish(call.id, tool_result("again")).empty());
}

TEST(Calls, OldClientsGetNoStructuredContent) {
  Client client;
  client.initialize("2025-03-26");
  const Call call = Client::only_call(client.request("tools/call", {{"name", "greet"}}));
  const Json answer =
      Client::only_message(client.connection.finish(call.id, tool_result("Hello", {{"a", 1}})));
  EXPECT_FALSE(answer["result"].contains("structuredContent"));
}

TEST(Calls, AnIdInFlightIsNotTakenTwice) {
  Client client;
  client.initialize();
  const Json request = jsonrpc::request_message(7, "tools/call", {{"name", "greet"}});
  const Call call = Client::only_call(client.send(request));
  EXPECT_EQ(code_of(Client::only_message(client.send(request))), jsonrpc::invalid_request);
  client.connection.finish(call.id, tool_result("Hello"));
  EXPECT_NE(Client::only_call(client.send(request)).id, call.id);
}

TEST(Calls, ProgressRisesAndEndsWithTheCall) {
  Client client;
  client.initialize();
  const Call call = Client::only_call(
      client.request("tools/call", {{"name", "greet"}, {"_meta", {{"progressToken", 0}}}}));
  EXPECT_TRUE(call.wants_progress);
  const Json notice = Client::only_message(client.connection.progress(call.id, {0.5, 1.0, "half"}));
  EXPECT_EQ(notice["params"],
            (Json{{"progressToken", 0}, {"progress", 0.5}, {"total", 1.0}, {"message", "half"}}));
  EXPECT_TRUE(client.connection.progress(call.id, {0.5, 1.0, "still"}).empty());
  EXPECT_TRUE(client.connection.progress(call.id, {0.4, 1.0, "back"}).empty());
  EXPECT_EQ(client.connection.progress(call.id, {0.6, {}, ""}).size(), 1u);
  client.connection.finish(call.id, tool_result("Hello"));
  EXPECT_TRUE(client.connection.progress(call.id, {0.9, {}, ""}).empty());
}

TEST(Calls, WithoutATokenThereIsNoProgress) {
  Client client;
  const Call call = Client::only_call(client.modern("tools/call", {{"name", "greet"}}));
  EXPECT_TRUE(client.connection.progress(call.id, {0.5, {}, ""}).empty());
}

TEST(Calls, CancellingAbandonsThemAndNothingMoreIsSent) {
  Client client;
  client.initialize();
  Json params{{"name", "greet"}, {"_meta", {{"progressToken", "p"}}}};
  const Call call = Client::only_call(client.request("tools/call", params));
  const auto actions = client.send(
      jsonrpc::notification_message("notifications/cancelled", {{"requestId", client.last_id}}));
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(std::get<Abandon>(actions[0]).call, call.id);
  EXPECT_TRUE(client.connection.progress(call.id, {0.5, {}, ""}).empty());
  EXPECT_TRUE(client.connection.finish(call.id, tool_result("late")).empty());
  EXPECT_TRUE(
      client.send(jsonrpc::notification_message("notifications/cancelled", {{"requestId", 999}}))
          .empty());
}

TEST(Calls, ModernOnesCanAskForMoreOrGoOnAsTasks) {
  Client client;
  Call call = Client::only_call(client.modern("tools/call", {{"name", "greet"}}));
  InputRequired more{.requests = {{"name", {{"method", "elicitation/create"}}}}, .state = "s"};
  Json result = Client::only_message(client.connection.finish(call.id, more))["result"];
  EXPECT_EQ(result["resultType"], "input_required");
  EXPECT_EQ(result["requestState"], "s");
  EXPECT_TRUE(result["inputRequests"].contains("name"));

  const Json capabilities{{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}}};
  call = Client::only_call(
      client.modern("tools/call", {{"name", "greet"}, {"_meta", modern_meta(capabilities)}}));
  EXPECT_TRUE(call.caller.can_tasks());
  result = Client::only_message(
      client.connection.finish(call.id, TaskStarted{{{"taskId", "t"}}}))["result"];
  EXPECT_EQ(result["resultType"], "task");
  EXPECT_EQ(result["taskId"], "t");
}

TEST(Tasks, NeedTheClientsExtension) {
  Client client;
  EXPECT_EQ(code_of(client.ask_modern("tasks/get", {{"taskId", "t"}})), -32021);
  const Json capabilities{{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}}};
  const Call call = Client::only_call(
      client.modern("tasks/get", {{"taskId", "t"}, {"_meta", modern_meta(capabilities)}}));
  EXPECT_EQ(std::get<GetTask>(call.work).task, "t");
}

TEST(Logging, IsSentFromTheLevelThatWasAskedFor) {
  Client client;
  client.initialize();
  Call call = Client::only_call(client.request("tools/call", {{"name", "greet"}}));
  EXPECT_TRUE(client.connection.log(call.id, LogLevel::error, "l", "x").empty());
  client.ask("logging/setLevel", {{"level", "warning"}});
  call = Client::only_call(client.request("tools/call", {{"name", "greet"}}));
  EXPECT_TRUE(client.connection.log(call.id, LogLevel::notice, "l", "x").empty());
  EXPECT_EQ(Client::only_message(
                client.connection.log(call.id, LogLevel::error, "l", "x"))["params"]["level"],
            "error");
  Json meta = modern_meta();
  meta["io.modelcontextprotocol/logLevel"] = "info";
  call = Client::only_call(client.modern("tools/call", {{"name", "greet"}, {"_meta", meta}}));
  EXPECT_EQ(client.connection.log(call.id, LogLevel::info, "l", "x").size(), 1u);
}

}  // namespace
}  // namespace protocol::mcp
