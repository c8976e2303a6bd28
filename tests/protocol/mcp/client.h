#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "protocol/mcp/connection.h"

// The client's side of a Connection, for tests.
namespace protocol::mcp {

inline Features some_features() {
  Features features;
  features.server = {.name = "test", .title = "Test", .version = "1"};
  features.instructions = "Use it.";
  features.tools = {{.name = "greet",
                     .title = "Greet",
                     .description = "Says hello.",
                     .input_schema = {{"type", "object"}},
                     .output_schema = {{"type", "object"}}}};
  features.prompts = {
      {.name = "write", .arguments = {{.name = "about", .required = true}, {.name = "tone"}}}};
  features.resource_templates = {{.uri_template = "t://{id}", .name = "thing"}};
  features.resources = features.resource_subscriptions = true;
  features.completions = features.logging = features.tasks = true;
  return features;
}

inline Json modern_meta(Json capabilities = Json::object()) {
  return {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
          {"io.modelcontextprotocol/clientCapabilities", std::move(capabilities)}};
}

class Client {
 public:
  explicit Client(Features features = some_features())
      : features_(std::move(features)), connection(features_) {}

  // Opens as a legacy client does, and returns the result.
  Json initialize(const std::string& revision = "2025-11-25") {
    const Json answer = ask("initialize", {{"protocolVersion", revision},
                                           {"capabilities", Json::object()},
                                           {"clientInfo", {{"name", "c"}, {"version", "1"}}}});
    connection.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return answer["result"];
  }

  Actions send(const Json& message) { return connection.receive(json::dump(message)); }
  Actions request(const std::string& method, Json params) {
    return send(jsonrpc::request_message(++last_id, method, std::move(params)));
  }
  Actions modern(const std::string& method, Json params = Json::object()) {
    if (!params.contains("_meta")) params["_meta"] = modern_meta();
    return request(method, std::move(params));
  }

  // Sends a request that is answered at once, and returns the answer.
  Json ask(const std::string& method, Json params = Json::object()) {
    return only_message(request(method, std::move(params)));
  }
  Json ask_modern(const std::string& method, Json params = Json::object()) {
    return only_message(modern(method, std::move(params)));
  }

  static Json only_message(const Actions& actions) {
    EXPECT_EQ(actions.size(), 1u);
    if (actions.empty() || !std::holds_alternative<Send>(actions[0])) return {};
    return std::get<Send>(actions[0]).message;
  }
  static Call only_call(const Actions& actions) {
    EXPECT_EQ(actions.size(), 1u);
    if (actions.empty() || !std::holds_alternative<Begin>(actions[0])) {
      ADD_FAILURE() << "nothing was begun";
      return {};
    }
    return std::get<Begin>(actions[0]).call;
  }

 private:
  Features features_;

 public:
  Connection connection;
  int last_id = 0;
};

}  // namespace protocol::mcp
