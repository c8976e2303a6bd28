#include <utility>

#include "tests/conformance/fixture.h"

// Tools that ask a legacy client for something while they run.
namespace conformance {
namespace {

Json string(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

Json choice(const char* value, const char* title) {
  return {{"const", value}, {"title", title}};
}

Answer ask_with(Asked asked, std::string method, Json params, std::string said) {
  const auto reply = co_await asked.context.ask(std::move(method), std::move(params));
  if (!reply) co_return mcp::tool_error("The client refused: " + reply.error().message);
  co_return mcp::tool_result(said + reply->dump());
}

Answer sampling(Asked asked) {
  const std::string prompt = asked.tool.arguments.value("prompt", "");
  Json params{
      {"messages",
       Json::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}}})},
      {"maxTokens", 100}};
  return ask_with(asked, "sampling/createMessage", std::move(params), "LLM response: ");
}

Answer elicit(Asked asked, std::string message, Json properties, Json required, std::string said) {
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  Json params{{"message", std::move(message)}, {"requestedSchema", std::move(schema)}};
  return ask_with(asked, "elicitation/create", std::move(params), std::move(said));
}

Answer elicitation(Asked asked) {
  return elicit(
      asked, asked.tool.arguments.value("message", ""),
      {{"username", string("User's response")}, {"email", string("User's email address")}},
      {"username", "email"}, "User response: ");
}

Answer elicitation_defaults(Asked asked) {
  const Json properties{
      {"name", {{"type", "string"}, {"default", "John Doe"}}},
      {"age", {{"type", "integer"}, {"default", 30}}},
      {"score", {{"type", "number"}, {"default", 95.5}}},
      {"status",
       {{"type", "string"}, {"enum", {"active", "inactive", "pending"}}, {"default", "active"}}},
      {"verified", {{"type", "boolean"}, {"default", true}}}};
  return elicit(asked, "Please check these", properties, Json::array(), "Elicitation completed: ");
}

Answer elicitation_enums(Asked asked) {
  const Json plain{"option1", "option2", "option3"};
  const Json titled = Json::array({choice("value1", "First"), choice("value2", "Second")});
  const Json properties{
      {"untitledSingle", {{"type", "string"}, {"enum", plain}}},
      {"titledSingle", {{"type", "string"}, {"oneOf", titled}}},
      {"legacyEnum",
       {{"type", "string"},
        {"enum", {"opt1", "opt2", "opt3"}},
        {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
      {"untitledMulti", {{"type", "array"}, {"items", {{"type", "string"}, {"enum", plain}}}}},
      {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled}}}}}};
  return elicit(asked, "Please choose", properties, Json::array(), "Elicitation completed: ");
}

}  // namespace

std::vector<FixtureTool> asking_tools() {
  return {
      {tool("test_sampling", "Asks the client's model", {{"prompt", string("What to ask")}},
            {"prompt"}),
       sampling},
      {tool("test_elicitation", "Asks the user", {{"message", string("What to ask")}}, {"message"}),
       elicitation},
      {tool("test_elicitation_sep1034_defaults", "Asks with defaults"), elicitation_defaults},
      {tool("test_elicitation_sep1330_enums", "Asks with choices"), elicitation_enums}};
}

}  // namespace conformance
