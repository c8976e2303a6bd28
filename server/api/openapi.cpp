#include "server/api/openapi.h"

#include <algorithm>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/openapi_answers.h"
#include "server/api/openapi_forms.h"
#include "server/api/openapi_schemas.h"
#include "server/api/query_parameters.h"
#include "server/base/version.h"
#include "server/http/static_content.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

Json parameters_of(const Route& route) {
  Json list = Json::array();
  for (const auto name : placeholders_of(route.path)) {
    list.push_back(
        {{"name", name}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
  }
  for (const auto& one : query_parameters()) {
    if (one.method != route.method || one.path != route.path) continue;
    list.push_back({{"name", one.name},
                    {"in", "query"},
                    {"description", one.description},
                    {"schema", {{"type", one.type}}}});
  }
  if (route.operation == "editTranscript" || route.operation == "restoreVersion") {
    list.push_back({{"name", "If-Match"},
                    {"in", "header"},
                    {"required", route.operation == "editTranscript"},
                    {"description", "Version that was read, such as \"7\"; * for any"},
                    {"schema", {{"type", "string"}}}});
  }
  if (route.path == "/v1/jobs" && route.method == http::verb::post) {
    list.push_back(
        {{"name", "Idempotency-Key"},
         {"in", "header"},
         {"description", "Requests with the same key return the same job while it is stored"},
         {"schema", {{"type", "string"}}}});
  }
  return list;
}

const char* right_name(Access access) {
  switch (access) {
    case Access::open:
      return "";
    case Access::read_status:
      return "read_status";
    case Access::transcribe:
      return "transcribe";
    case Access::manage:
      return "manage";
    case Access::back_up:
      return "back_up";
  }
  return "";
}

// Generators of clients put the operations of a group together.
const char* group_of(std::string_view path) {
  if (path.starts_with("/v1/audio")) return "audio";
  if (path.starts_with("/v1/realtime")) return "live";
  if (path.starts_with("/v1/models") || path == "/v1/ps" || path == "/v1/catalog") return "models";
  if (path.starts_with("/v1/jobs") || path.starts_with("/v1/shares")) return "jobs";
  if (path.starts_with("/v1/uploads")) return "uploads";
  if (path == "/v1/listen") return "deepgram";
  if (path.starts_with("/streaming-whisper/")) return "jigasi";
  if (path == "/asr" || path == "/detect-language") return "whisper-asr-webservice";
  if (path == "/inference" || path == "/load") return "whisper.cpp";
  return path == "/mcp" ? "mcp" : "server";
}

Json operation(const Route& route) {
  Json about{{"operationId", route.operation},
             {"summary", route.summary},
             {"tags", Json::array({group_of(route.path)})}};
  if (Json list = parameters_of(route); !list.empty()) about["parameters"] = std::move(list);
  if (Json body = request_body(route); !body.is_null()) about["requestBody"] = std::move(body);
  about["responses"] = answers_of(route);
  about["security"] = Json::array();
  if (route.access != Access::open) {
    about["security"].push_back({{"key", Json::array()}});
    about["security"].push_back({{"session", Json::array()}});
    about["x-right"] = right_name(route.access);
  }
  return about;
}

std::string lower(std::string_view method) {
  std::string text(method);
  std::ranges::transform(text, text.begin(), [](char c) { return c | 0x20; });
  return text;
}

}  // namespace

Json openapi_document(std::span<const Route> table) {
  Json document{{"openapi", "3.1.0"},
                {"info",
                 {{"title", "scribed"},
                  {"version", program_version()},
                  {"description", "Speech-to-text with Whisper."}}}};
  document["components"]["securitySchemes"]["key"] = {{"type", "http"}, {"scheme", "bearer"}};
  document["components"]["securitySchemes"]["session"] = {
      {"type", "apiKey"},
      {"in", "cookie"},
      {"name", "scribed_8080"},
      {"description",
       "Cookie of signed-in browsers, set by POST /v1/session; its name contains the port"}};
  document["components"]["schemas"] = answer_schemas();
  for (const auto& route : table) {
    const std::string method = lower(std::string_view(http::to_string(route.method)));
    document["paths"][std::string(route.path)][method] = operation(route);
  }
  return document;
}

namespace api {

asio::awaitable<void> openapi(Api&, ApiCall& call) {
  if (const std::string& prefix = call.exchange.url().prefix; !prefix.empty()) {
    Json document = openapi_document(routes());
    document["servers"] = Json::array({{{"url", prefix}}});
    std::string text = protocol::json::dump(document, 2) + "\n";
    co_return co_await send_json(call.exchange, std::move(text));
  }
  // The document takes a while to make, and everybody may ask for it, so it is made once.
  static const StaticContent document(protocol::json::dump(openapi_document(routes()), 2) + "\n",
                                      "application/json");
  co_await call.exchange.send(document.answer(call.exchange.headers()));
}

}  // namespace api
}  // namespace server
