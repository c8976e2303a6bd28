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

bool may_read(const OriginGuard& guard, const http::fields& request, Readers readers) {
  return request.count(http::field::origin) == 1 &&
         (readers == Readers::all || guard.lists(request[http::field::origin]));
}

}  // namespace

bool is_preflight(http::verb method, const http::fields& request) {
  return method == http::verb::options &&
         request.count(http::field::access_control_request_method) > 0;
}

Headers cors_headers(const OriginGuard& guard, const http::fields& request, Readers readers) {
  Headers headers{{"vary", "Origin"}};
  if (!may_read(guard, request, readers)) return headers;
  headers.emplace_back("access-control-allow-origin", request[http::field::origin]);
  headers.emplace_back("access-control-expose-headers", "*");
  return headers;
}

http::verb asked_method(http::verb method, const http::fields& request) {
  if (!is_preflight(method, request)) return method;
  return http::string_to_verb(request[http::field::access_control_request_method]);
}

Result<Response> preflight_answer(const OriginGuard& guard, const http::fields& request,
                                  Readers readers) {
  if (!may_read(guard, request, readers)) {
    return OriginGuard::unlisted(request[http::field::origin]);
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
