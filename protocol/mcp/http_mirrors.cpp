#include "protocol/mcp/http_mirrors.h"

#include <algorithm>
#include <array>

#include "protocol/base64.h"

namespace protocol::mcp {
namespace {

constexpr int header_mismatch_code = -32020;

struct Named {
  std::string_view method;
  const char* parameter;
};
constexpr std::array named_methods{
    Named{"tools/call", "name"},  Named{"prompts/get", "name"},    Named{"resources/read", "uri"},
    Named{"tasks/get", "taskId"}, Named{"tasks/update", "taskId"}, Named{"tasks/cancel", "taskId"},
};

jsonrpc::Checked<void> check_one(const HeaderLookup& header, const std::string& name,
                                 const std::string& expected) {
  const auto value = header(name);
  const auto decoded = value ? decode_header(*value) : std::nullopt;
  if (!decoded || *decoded != expected) return header_mismatch(name);
  return {};
}

// Returns what a request is about, which Mcp-Name repeats; empty where it names nothing.
std::optional<std::string> name_in(const std::string& method, const Json& params) {
  const auto named = std::ranges::find(named_methods, method, &Named::method);
  if (named == named_methods.end() || !params.is_object()) return std::nullopt;
  const auto name = params.find(named->parameter);
  if (name == params.end() || !name->is_string()) return std::nullopt;
  return name->get<std::string>();
}

// Returns the value as a header can carry it; decode_header() gives it back.
std::string header_value(const std::string& text) {
  const bool is_plain =
      std::ranges::all_of(text, [](char byte) { return byte >= 0x20 && byte < 0x7f; }) &&
      !text.starts_with(' ') && !text.ends_with(' ') && decode_header(text) == text;
  return is_plain ? text : "=?base64?" + encode_base64(text) + "?=";
}

// Returns a parameter as the client writes it into a header; empty if it has no such form.
std::optional<std::string> as_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return std::nullopt;
}

// "x-mcp-header": "Region" in a tool's schema asks for Mcp-Param-Region.
jsonrpc::Checked<void> check_parameters(const Tool& tool, const HeaderLookup& header,
                                        const Json& arguments) {
  const auto properties = tool.input_schema.find("properties");
  if (properties == tool.input_schema.end()) return {};
  for (const auto& [key, schema] : properties->items()) {
    const auto wanted = schema.is_object() ? schema.find("x-mcp-header") : schema.end();
    if (wanted == schema.end() || !wanted->is_string()) continue;
    const std::string name = "Mcp-Param-" + wanted->get<std::string>();
    const auto expected = as_text(arguments.value(key, Json()));
    if (!expected && header(name)) return header_mismatch(name);
    if (!expected) continue;
    if (const auto agrees = check_one(header, name, *expected); !agrees) return agrees;
  }
  return {};
}

}  // namespace

jsonrpc::Error header_mismatch(const std::string& header) {
  return {header_mismatch_code,
          "The header " + header +
              " is missing or disagrees with the body. Repeat there what the body has.",
          {}};
}

jsonrpc::Checked<void> check_mirrors(const Features& features, const HeaderLookup& header,
                                     const Json& request) {
  const std::string method = request["method"];
  if (header("Mcp-Method") != method) return header_mismatch("Mcp-Method");
  const Json& params = request["params"];
  const auto name = name_in(method, params);
  if (!name) return {};
  if (const auto agrees = check_one(header, "Mcp-Name", *name); !agrees) return agrees;
  const Tool* tool = method == "tools/call" ? features.find_tool(*name) : nullptr;
  if (!tool) return {};
  return check_parameters(*tool, header, params.value("arguments", Json::object()));
}

std::vector<std::pair<std::string, std::string>> mirrors_of(const Json& request) {
  const std::string method = request.value("method", "");
  std::vector<std::pair<std::string, std::string>> headers{{"Mcp-Method", method}};
  const auto name = name_in(method, request.value("params", Json::object()));
  if (name) headers.emplace_back("Mcp-Name", header_value(*name));
  return headers;
}

}  // namespace protocol::mcp
