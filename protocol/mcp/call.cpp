#include "protocol/mcp/call.h"

#include <utility>

namespace protocol::mcp {
namespace {

constexpr int resource_not_found = -32002;  // up to 2025-11-25
constexpr int missing_client_capability = -32021;

Json text_content(std::string text) {
  return Json::array({{{"type", "text"}, {"text", std::move(text)}}});
}

}  // namespace

bool Caller::can_tasks() const {
  const auto extensions = capabilities.find("extensions");
  return era == Era::modern && extensions != capabilities.end() && extensions->is_object() &&
         extensions->contains("io.modelcontextprotocol/tasks");
}

Json tool_result(std::string text, Json structured) {
  Json result{{"content", text_content(std::move(text))}};
  if (!structured.is_null()) result["structuredContent"] = std::move(structured);
  return result;
}

Json tool_error(std::string text) {
  return {{"content", text_content(std::move(text))}, {"isError", true}};
}

jsonrpc::Error unknown_resource(const std::string& uri, Era era) {
  return {era == Era::modern ? jsonrpc::invalid_params : resource_not_found,
          "There is no resource " + uri + ". Call resources/list, which names all.",
          {{"uri", uri}}};
}

jsonrpc::Error missing_capability(Json required) {
  return {missing_client_capability,
          "This needs a capability that the client has not declared. Declare what data has.",
          {{"requiredCapabilities", std::move(required)}}};
}

}  // namespace protocol::mcp
