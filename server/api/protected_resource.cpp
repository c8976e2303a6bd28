#include "server/api/protected_resource.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/http/api_keys.h"
#include "server/http/base_url.h"
#include "server/http/error_response.h"

namespace server {
namespace {

constexpr std::string_view metadata_path = "/.well-known/oauth-protected-resource";
constexpr std::string_view mcp_path = "/mcp";

// The names of rights are the scopes.
const char* scope_of(Access access) {
  switch (access) {
    case Access::read_status:
      return "read_status";
    case Access::manage:
      return "manage";
    case Access::back_up:
      return "back_up";
    case Access::open:
    case Access::transcribe:
      break;
  }
  return "transcribe";
}

// The metadata of MCP has a path of its own, which its clients ask for.
std::string metadata_url(const Exchange& exchange) {
  const auto base = base_url(exchange);
  if (!base) return "";
  const bool is_mcp = exchange.path() == mcp_path;
  return fmt::format("{}{}{}", *base, metadata_path, is_mcp ? mcp_path : "");
}

}  // namespace

Response challenge(const Exchange& exchange, const Error& error, Access needed) {
  Response response = error_response(error);
  std::string field = fmt::format("Bearer realm=\"scribed\", scope=\"{}\"", scope_of(needed));
  const bool has_key = exchange.headers().count(http::field::authorization) > 0;
  const char* code = error.code == errc::forbidden ? "insufficient_scope" : "invalid_token";
  // A request without any key has made no mistake that a code could name.
  if (has_key)
    field += fmt::format(", error=\"{}\", error_description=\"{}\"", code, error.message);
  if (const auto url = metadata_url(exchange); !url.empty()) {
    field += fmt::format(", resource_metadata=\"{}\"", url);
  }
  response.headers.emplace_back("www-authenticate", std::move(field));
  return response;
}

namespace api {

asio::awaitable<void> protected_resource(Api& api, ApiCall& call) {
  const auto base = base_url(call.exchange);
  // A server without keys protects nothing.
  if (api.keys.is_open() || !base) return send_not_found(call.exchange);
  const bool is_mcp = call.exchange.path().ends_with(mcp_path);
  using Json = nlohmann::ordered_json;
  const Json body{
      {"resource", *base + std::string(is_mcp ? mcp_path : "")},
      {"resource_name", "scribed"},
      {"bearer_methods_supported", Json::array({"header"})},
      {"scopes_supported", Json::array({"transcribe", "read_status", "manage", "back_up"})},
      {"resource_documentation", *base + "/docs"}};
  return send_json(call.exchange, protocol::json::dump(body));
}

}  // namespace api

}  // namespace server
