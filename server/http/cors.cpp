#include "server/http/cors.h"

#include <algorithm>

namespace server {
namespace {

// All methods are listed whatever the path takes: a page then reads the answer that says so.
constexpr char methods[] = "GET, HEAD, POST, PUT, PATCH, DELETE";

// Two hours, in seconds; Chromium accepts no more.
constexpr char max_age[] = "7200";

// A page of an allowed origin may send whatever it wants to, as other clients do: the client
// libraries of OpenAI and of MCP add fields of their own ("*" would not stand for Authorization).
std::string allowed_headers(std::string_view asked) {
  const bool is_list = std::ranges::all_of(asked, [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == ',' || byte == ' ';
  });
  return is_list ? std::string(asked) : "";
}

bool may_read(const OriginGuard& guard, const http::fields& request) {
  return request.count(http::field::origin) == 1 && guard.lists(request[http::field::origin]);
}

}  // namespace

Headers cors_headers(const OriginGuard& guard, const http::fields& request) {
  if (!guard.lists_pages()) return {};
  Headers headers{{"vary", "Origin"}};
  if (!may_read(guard, request)) return headers;
  headers.emplace_back("access-control-allow-origin", request[http::field::origin]);
  headers.emplace_back("access-control-expose-headers", "*");
  return headers;
}

std::optional<Response> preflight_answer(const OriginGuard& guard, http::verb method,
                                         const http::fields& request) {
  const auto asked = http::field::access_control_request_method;
  if (method != http::verb::options || request.count(asked) == 0 || !may_read(guard, request)) {
    return std::nullopt;
  }
  Response response{.status = http::status::no_content};
  response.headers = {{"access-control-allow-methods", methods},
                      {"access-control-max-age", max_age}};
  const auto wanted = allowed_headers(request[http::field::access_control_request_headers]);
  if (!wanted.empty()) {
    response.headers.emplace_back("access-control-allow-headers", wanted);
  }
  return response;
}

}  // namespace server
