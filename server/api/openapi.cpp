#include "server/api/openapi.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/http/static_content.h"
#include "server/options/option_schema.h"
#include "server/transcription/progress_json.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

Json text(std::string_view description) {
  return {{"type", "string"}, {"description", description}};
}

// scribed's own fields, beside OpenAI's, in the order of the command line's help.
Json decoding_properties() {
  Json properties{{"channels",
                   {{"type", "string"},
                    {"enum", {"mix", "split"}},
                    {"default", "mix"},
                    {"description", "split: the first two channels, each by itself"}}},
                  {"channel_labels[]",
                   {{"type", "array"},
                    {"items", {{"type", "string"}}},
                    {"minItems", 2},
                    {"maxItems", 2},
                    {"description",
                     "With split: what stands before the text of each, in text and subtitles"}}}};
  for (const protocol::Option& option : protocol::option_table()) {
    if (!option.offered.in_forms) continue;
    Json schema = option_schema(option);
    // Fields of forms are texts: the numbers of a list are separated by commas.
    if (schema["type"] == "array") schema = text(option.help);
    properties[option.client_name()] = std::move(schema);
  }
  return properties;
}

Json form_schema(bool is_translation, bool is_job) {
  Json properties{
      {"file", {{"type", "string"}, {"format", "binary"}, {"description", "Audio or video"}}},
      {"model", text("An installed model; whisper-1 stands for the default one")},
      {"temperature", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}, {"default", 0}}},
      {"upload", text("A handle from /v1/uploads, instead of a file")},
      {"keep_alive",
       text("How long the model stays loaded: 5m, 0, or -1 for ever. Of keys that may not "
            "manage models the server's own setting holds")}};
  properties.update(decoding_properties());
  if (!is_job) {
    properties["response_format"] = {{"type", "string"},
                                     {"enum", {"json", "text", "srt", "verbose_json", "vtt"}},
                                     {"default", "json"}};
  }
  if (!is_translation) {
    const Json texts{{"type", "array"}, {"items", {{"type", "string"}}}};
    properties["language"] = text("ISO 639-1; detected where it is missing");
    properties["languages[]"] = texts;
    properties["multilingual"] = {{"type", "boolean"}, {"default", false}};
    properties["keywords[]"] = texts;
    properties["chunking_strategy"] = {{"type", "string"}, {"enum", {"auto"}}};
  }
  if (!is_translation && !is_job) {
    properties["stream"] = {{"type", "boolean"}, {"default", false}};
  }
  if (!is_translation) {
    properties["timestamp_granularities[]"] = {
        {"type", "array"}, {"items", {{"type", "string"}, {"enum", {"word", "segment"}}}}};
  }
  if (is_job) properties["webhook_url"] = text("An https address that is told of the end");
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

Json form_body(Json schema) {
  return {{"required", true},
          {"content", {{"multipart/form-data", {{"schema", std::move(schema)}}}}}};
}

// Returns the schema of a request's body; null: the body needs no description.
Json request_body(const Route& route) {
  if (route.method != http::verb::post) return nullptr;
  if (route.path == "/v1/audio/transcriptions") return form_body(form_schema(false, false));
  if (route.path == "/v1/audio/translations") return form_body(form_schema(true, false));
  if (route.path == "/v1/jobs") return form_body(form_schema(false, true));
  if (route.path == "/v1/uploads") {
    Json schema{{"type", "object"}, {"required", {"file"}}};
    schema["properties"]["file"] = {{"type", "string"}, {"format", "binary"}};
    return form_body(std::move(schema));
  }
  if (route.path.ends_with("/load")) {
    Json schema{{"type", "object"}, {"additionalProperties", false}};
    schema["properties"]["keep_alive"] = text("How long it stays loaded: 5m, 0, or -1 for ever");
    return {{"content", {{"application/json", {{"schema", std::move(schema)}}}}}};
  }
  return nullptr;
}

struct QueryParameter {
  std::string_view path;
  const char* name;
  const char* description;
};
constexpr std::array query_parameters{
    QueryParameter{"/v1/jobs", "limit", "How many, from 1 to 100"},
    QueryParameter{"/v1/jobs", "owner",
                   "Whose, for keys that may manage the server: a name, or * for everybody's"},
    QueryParameter{"/v1/jobs", "after", "The id of the last job of the page before"},
    QueryParameter{"/v1/jobs/{id}/transcript", "format", "txt, srt, vtt, tsv, lrc or json"},
};

Json parameters_of(const Route& route) {
  Json list = Json::array();
  if (const auto name = placeholder_of(route.path); !name.empty()) {
    list.push_back(
        {{"name", name}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
  }
  for (const auto& one : query_parameters) {
    if (route.method != http::verb::get || one.path != route.path) continue;
    list.push_back({{"name", one.name},
                    {"in", "query"},
                    {"description", one.description},
                    {"schema", {{"type", "string"}}}});
  }
  if (route.path == "/v1/jobs" && route.method == http::verb::post) {
    list.push_back({{"name", "Idempotency-Key"},
                    {"in", "header"},
                    {"description", "The same key is the same job, for as long as it is kept"},
                    {"schema", {{"type", "string"}}}});
  }
  return list;
}

// The answer of all routes of jobs.
Json job_schema() {
  const Json text_or_null{{"type", {"string", "null"}}}, integer{{"type", "integer"}};
  const Json time_or_null{{"type", {"number", "null"}}, {"description", "Seconds since 1970"}};
  Json properties{
      {"id", {{"type", "string"}}},
      {"object", {{"const", "job"}}},
      {"status",
       {{"type", "string"}, {"enum", {"queued", "running", "done", "failed", "cancelled"}}}},
      {"title", text_or_null},
      {"model", {{"type", "string"}}},
      {"task", {{"type", "string"}}},
      {"language", text_or_null},
      {"created_at", time_or_null},
      {"started_at", time_or_null},
      {"finished_at", time_or_null},
      {"expires_at", time_or_null},
      {"request_id", text_or_null},
      {"attempts", integer},
      {"segments", integer},
      {"device", text_or_null},
      {"device_fallback", {{"type", {"object", "null"}}}},
      {"warnings", {{"type", "array"}, {"items", {{"type", "string"}}}}},
      {"error", {{"type", {"object", "null"}}}}};
  Json figures = progress_properties();
  for (auto& [name, property] : figures.items()) {
    property["type"] = {property["type"], "null"};
    properties[name] = std::move(property);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

bool answers_with_a_job(const Route& route) {
  return (route.path == "/v1/jobs" && route.method == http::verb::post) ||
         (route.path == "/v1/jobs/{id}" && route.method == http::verb::get);
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

Json operation(const Route& route) {
  Json about{{"summary", route.summary}};
  if (Json list = parameters_of(route); !list.empty()) about["parameters"] = std::move(list);
  if (Json body = request_body(route); !body.is_null()) about["requestBody"] = std::move(body);
  about["responses"]["default"] = {{"description", "An error, in OpenAI's shape"}};
  about["responses"]["2XX"] = {{"description", "Done, or accepted"}};
  if (answers_with_a_job(route)) {
    about["responses"]["2XX"]["content"]["application/json"]["schema"]["$ref"] =
        "#/components/schemas/Job";
  }
  about["security"] = Json::array();
  if (route.access != Access::open) {
    about["security"].push_back({{"key", Json::array()}});
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
                  {"version", SCRIBED_VERSION},
                  {"description", "Speech to text on this machine."}}}};
  document["components"]["securitySchemes"]["key"] = {{"type", "http"}, {"scheme", "bearer"}};
  document["components"]["schemas"]["Job"] = job_schema();
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
