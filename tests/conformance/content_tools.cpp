#include <chrono>
#include <utility>

#include "server/base/race.h"
#include "tests/conformance/fixture.h"

// Tools that answer in every shape of content.
namespace conformance {
namespace {

constexpr std::chrono::milliseconds pause{50};

Json text(std::string said) {
  return {{"type", "text"}, {"text", std::move(said)}};
}
Json image() {
  return {{"type", "image"}, {"data", png()}, {"mimeType", "image/png"}};
}
mcp::Outcome content(Json items) {
  return mcp::Outcome(Json{{"content", std::move(items)}});
}

Answer simple_text(Asked) {
  co_return mcp::tool_result("This is a simple text response for testing.");
}

Answer image_content(Asked) {
  co_return content(Json::array({image()}));
}

Answer audio_content(Asked) {
  co_return content(Json::array({{{"type", "audio"}, {"data", wav()}, {"mimeType", "audio/wav"}}}));
}

Answer embedded_resource(Asked) {
  const Json resource{{"uri", "test://embedded-resource"},
                      {"mimeType", "text/plain"},
                      {"text", "This is an embedded resource content."}};
  co_return content(Json::array({{{"type", "resource"}, {"resource", resource}}}));
}

Answer multiple_types(Asked) {
  const Json resource{{"uri", "test://mixed-content-resource"},
                      {"mimeType", "application/json"},
                      {"text", R"({"test":"data","value":123})"}};
  co_return content(Json::array({text("Multiple content types test:"),
                                 image(),
                                 {{"type", "resource"}, {"resource", resource}}}));
}

Answer error_handling(Asked) {
  co_return mcp::tool_error("This tool intentionally returns an error for testing");
}

Answer with_logging(Asked asked) {
  for (const char* said :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    asked.context.log(mcp::LogLevel::info, "test", said);
    co_await server::sleep_for(pause);
  }
  co_return mcp::tool_result("The tool has logged.");
}

Answer with_progress(Asked asked) {
  for (const double at : {0.0, 50.0, 100.0}) {
    asked.context.progress({at, 100, ""});
    co_await server::sleep_for(pause);
  }
  co_return mcp::tool_result("The tool has told its progress.");
}

Answer repeat_arguments(Asked asked) {
  co_return mcp::tool_result(asked.tool.arguments.dump());
}

mcp::Tool tool_with_schema() {
  mcp::Tool described = tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features");
  described.input_schema = Json::parse(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
      "contactMethod": {"type": "string", "enum": ["phone", "email"]},
      "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false})");
  return described;
}

}  // namespace

std::string png() {
  return "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
         "M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
         "gg==";
}

std::string wav() {
  return "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";
}

std::vector<FixtureTool> content_tools() {
  const Json header{{"type", "string"}, {"x-mcp-header", "Region"}};
  return {{tool("test_simple_text", "Answers with text"), simple_text},
          {tool("test_image_content", "Answers with an image"), image_content},
          {tool("test_audio_content", "Answers with sound"), audio_content},
          {tool("test_embedded_resource", "Answers with a resource"), embedded_resource},
          {tool("test_multiple_content_types", "Answers with several things"), multiple_types},
          {tool("test_error_handling", "Always fails"), error_handling},
          {tool("test_tool_with_logging", "Logs while it runs"), with_logging},
          {tool("test_logging_tool", "Logs while it runs"), with_logging},
          {tool("test_tool_with_progress", "Tells its progress"), with_progress},
          {tool_with_schema(), repeat_arguments},
          {tool("test_custom_header", "Has its argument in a header, too", {{"region", header}}),
           repeat_arguments}};
}

}  // namespace conformance
