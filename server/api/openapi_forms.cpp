#include "server/api/openapi_forms.h"

#include <string>
#include <utility>

#include "protocol/known_speaker.h"
#include "server/api/openapi_page_schemas.h"
#include "server/jobs/text_edit.h"
#include "server/options/line_options.h"
#include "server/options/option_schema.h"
#include "server/options/option_values.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

Json text(std::string_view description) {
  return {{"type", "string"}, {"description", description}};
}

// scribed's own fields, beside OpenAI's, in the order of the command line's help.
Json decoding_properties() {
  Json properties{
      {"channels",
       {{"type", "string"},
        {"enum", {"mix", "split"}},
        {"default", "mix"},
        {"description", "split: transcribe the first two channels separately"}}},
      {"channel_labels[]",
       {{"type", "array"},
        {"items", {{"type", "string"}}},
        {"minItems", 2},
        {"maxItems", 2},
        {"description", "Labels of the channels with split, in text and subtitles"}}},
      {"audio_track", text("Audio track: its number, counted from 1, or its language. Default: the "
                           "track in the language of the request, else the file's default track")},
      {"timeline",
       {{"type", "string"},
        {"enum", timelines},
        {"default", timelines.front()},
        {"description",
         "player: times as a player shows them, with silence for late starts and "
         "gaps; packed: the decoded audio alone, without gaps"}}}};
  for (const protocol::Option& option : protocol::option_table()) {
    if (!option.offered.in_forms) continue;
    Json schema = option_schema(option);
    schema.erase("default");  // the server's settings decide; generated clients would send it
    // Fields of forms are texts: the numbers of a list are separated by commas.
    if (schema["type"] == "array") schema = text(option.help);
    properties[option.client_name()] = std::move(schema);
  }
  return properties;
}

// Describes the form fields that break subtitles (srt, vtt, ass) into lines.
Json line_properties() {
  Json properties = Json::object();
  for (const LineOption& option : line_options) {
    properties[std::string(option.name)] = line_option_schema(option);
  }
  return properties;
}

Json form_schema(bool is_translation, bool is_job) {
  Json properties{
      {"file", {{"type", "string"}, {"format", "binary"}, {"description", "Audio or video"}}},
      {"model", text("An installed model; whisper-1 is the default model")},
      {"temperature", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}, {"default", 0}}},
      {"upload", text("Id of an upload (/v1/uploads), instead of a file")},
      {"url", text("An https URL of the file, if the server allows its host")},
      {"keep_alive", text("How long the model stays loaded: 5m, 0, or -1 for ever. Needs the scope "
                          "manage; otherwise the server's setting applies")}};
  properties.update(decoding_properties());
  if (!is_job) {
    properties["response_format"] = {
        {"type", "string"},
        {"enum", {"json", "text", "srt", "verbose_json", "vtt", "ass", "diarized_json"}},
        {"default", "json"}};
    properties.update(line_properties());
  }
  properties["language"] = text("ISO 639-1 code; auto-detected if missing");
  if (!is_translation) {
    const Json texts{{"type", "array"}, {"items", {{"type", "string"}}}};
    properties["languages[]"] = texts;
    properties["multilingual"] = {{"type", "boolean"}, {"default", false}};
    properties["task"] = {{"type", "string"},
                          {"enum", {"transcribe", "translate"}},
                          {"default", "transcribe"},
                          {"description", "translate: translate to English"}};
    properties["keywords[]"] = texts;
    properties["include[]"] = {{"type", "array"},
                               {"items", {{"type", "string"}, {"enum", {"logprobs"}}}}};
    properties["known_speaker_names[]"] = {
        {"type", "array"},
        {"items", {{"type", "string"}, {"minLength", 1}, {"maxLength", 255}}},
        {"maxItems", protocol::most_known_speakers},
        {"description", "Names of known speakers; others are A, B, …"}};
    properties["known_speaker_references[]"] = {
        {"type", "array"},
        {"items", {{"type", "string"}, {"pattern", "^data:"}}},
        {"maxItems", protocol::most_known_speakers},
        {"description", "Voice samples in the same order: 2 to 10 s as Base64 data URLs"}};
    properties["chunking_strategy"] = {{"type", "string"}, {"enum", {"auto", "server_vad"}}};
  }
  if (!is_translation && !is_job) {
    properties["stream"] = {{"type", "boolean"}, {"default", false}};
  }
  if (!is_translation) {
    properties["timestamp_granularities[]"] = {
        {"type", "array"}, {"items", {{"type", "string"}, {"enum", {"word", "segment"}}}}};
  }
  if (is_job) {
    properties["webhook_url"] = text("An https URL that is called when the job finishes");
    properties["keep_results_s"] = {
        {"type", "number"},
        {"minimum", 1},
        {"description", "How long the finished job is kept, in seconds"}};
    properties["priority"] = {{"type", "string"},
                              {"enum", {"normal", "bulk"}},
                              {"default", "normal"},
                              {"description", "bulk: start only if no normal job is queued"}};
    properties["metadata"] = {{"type", "object"},
                              {"additionalProperties", {{"type", "string"}}},
                              {"maxProperties", 16},
                              {"description", "Your own key-value pairs, returned with the job"}};
  }
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!is_job) schema["required"] = Json::array({"model"});
  return schema;
}

// A form to an interface of another program: docs/interfaces.md has its fields.
Json others_form(const char* sound_part) {
  Json schema{{"type", "object"}, {"required", Json::array({sound_part})}};
  schema["properties"][sound_part] = {
      {"type", "string"}, {"format", "binary"}, {"description", "Audio or video"}};
  return schema;
}

Json inference_form() {
  Json schema = others_form("file");
  Json& properties = schema["properties"];
  properties["response_format"] = {{"type", "string"},
                                   {"enum", {"json", "text", "srt", "vtt", "verbose_json"}},
                                   {"default", "json"}};
  properties["language"] = text("A code, a name or auto");
  properties["translate"] = text("true: translate to English");
  properties["prompt"] = text("Prompt: names, spelling, style");
  properties["temperature"] = text("A number from 0 to 1");
  properties["model"] = text("An installed model, by its name");
  return schema;
}

Json load_form() {
  Json schema{{"type", "object"}, {"required", Json::array({"model"})}};
  schema["properties"]["model"] = text("An installed model, by its name");
  return schema;
}

Json json_body(Json schema) {
  return {{"content", {{"application/json", {{"schema", std::move(schema)}}}}}};
}

// A session's fields are those of OpenAI's API, of which many mean nothing here.
Json client_secret_schema() {
  Json after{{"type", "object"}};
  after["properties"]["anchor"] = {{"type", "string"}, {"const", "created_at"}};
  after["properties"]["seconds"] = {
      {"type", "integer"}, {"minimum", 10}, {"maximum", 7200}, {"default", 600}};
  Json schema{{"type", "object"}};
  schema["properties"]["expires_after"] = std::move(after);
  schema["properties"]["session"] = {{"type", "object"},
                                     {"description", "Initial configuration of sessions"}};
  return schema;
}

Json form_body(Json schema) {
  return {{"required", true},
          {"content", {{"multipart/form-data", {{"schema", std::move(schema)}}}}}};
}

Json required_json(Json schema) {
  Json body = json_body(std::move(schema));
  body["required"] = true;
  return body;
}

Json job_change_schema() {
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"minProperties", 1}};
  schema["properties"] = {
      {"title", {{"type", {"string", "null"}}, {"description", "null or empty: the file name"}}},
      {"pinned", {{"type", "boolean"}, {"description", "A pinned job does not expire"}}},
      {"speaker_names",
       {{"type", "object"},
        {"additionalProperties", {{"type", {"string", "null"}}, {"maxLength", 255}}},
        {"description", "Names by letter; null or empty: the letter"}}}};
  return schema;
}

// One operation; all of its fields are required but for those in `optional`.
Json op_schema(const char* op, Json fields, Json optional = Json::object()) {
  Json required = Json::array({"op"});
  Json properties{{"op", {{"type", "string"}, {"const", op}}}};
  for (const auto& [name, schema] : fields.items()) required.push_back(name);
  properties.update(fields);
  properties.update(optional);
  return {{"type", "object"},
          {"required", std::move(required)},
          {"additionalProperties", false},
          {"properties", std::move(properties)}};
}

Json edit_schema() {
  const Json string{{"type", "string"}}, number{{"type", "number"}}, flag{{"type", "boolean"}};
  const Json string_or_null{{"type", {"string", "null"}}};
  const Json word{
      {"type", "integer"}, {"minimum", 1}, {"description", "First word of the second part"}};
  const Json ops = Json::array(
      {op_schema("text", {{"segment", string}, {"text", string}}),
       op_schema("split", {{"segment", string}, {"word", word}}),
       op_schema("merge", {{"segment", string}}), op_schema("delete", {{"segment", string}}),
       op_schema("times", {{"segment", string}, {"start", number}, {"end", number}}),
       op_schema("speaker", {{"segment", string}, {"speaker", string_or_null}}),
       op_schema("name", {{"speaker", string}, {"name", string_or_null}}),
       op_schema("merge_speakers", {{"speaker", string}, {"into", string}}),
       op_schema("replace", {{"find", string}, {"with", string}},
                 {{"case", flag}, {"whole", flag}})});
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"required", {"ops"}}};
  schema["properties"]["ops"] = {
      {"type", "array"}, {"maxItems", max_edits}, {"items", {{"oneOf", ops}}}};
  return schema;
}

}  // namespace

Json request_body(const Route& route) {
  if (route.operation == "repeatJob") {
    return json_body(
        {{"type", "object"}, {"description", "Form fields of POST /v1/jobs, without the audio"}});
  }
  if (route.operation == "continueUpload") {
    Json part{{"type", "string"}, {"format", "binary"}};
    return {{"required", true},
            {"content", {{"application/offset+octet-stream", {{"schema", std::move(part)}}}}}};
  }
  if (route.operation == "changeJob") return required_json(job_change_schema());
  if (route.operation == "editTranscript") return required_json(edit_schema());
  if (route.method != http::verb::post) return nullptr;
  if (Json schema = page_request_schema(route); !schema.is_null()) {
    return json_body(std::move(schema));
  }
  if (route.path == "/v1/audio/transcriptions") return form_body(form_schema(false, false));
  if (route.path == "/v1/audio/translations") return form_body(form_schema(true, false));
  if (route.path == "/v1/jobs") return form_body(form_schema(false, true));
  if (route.path == "/asr" || route.path == "/detect-language") {
    return form_body(others_form("audio_file"));
  }
  if (route.path == "/inference") return form_body(inference_form());
  if (route.path == "/load") return form_body(load_form());
  if (route.path == "/v1/listen") {
    Json address{{"type", "object"}, {"required", Json::array({"url"})}};
    address["properties"]["url"] = text("URL of the file, instead of the file");
    return {
        {"required", true},
        {"content",
         {{"application/octet-stream", {{"schema", {{"type", "string"}, {"format", "binary"}}}}},
          {"application/json", {{"schema", std::move(address)}}}}}};
  }
  if (route.path == "/v1/uploads") {
    Json schema{{"type", "object"}, {"required", {"file"}}};
    schema["properties"]["file"] = {{"type", "string"}, {"format", "binary"}};
    return form_body(std::move(schema));
  }
  if (route.path.ends_with("/load")) {
    Json schema{{"type", "object"}, {"additionalProperties", false}};
    schema["properties"]["keep_alive"] = text("How long it stays loaded: 5m, 0, or -1 for ever");
    return json_body(std::move(schema));
  }
  if (route.path == "/v1/realtime/client_secrets") return json_body(client_secret_schema());
  if (route.path.starts_with("/v1/realtime/") && route.path.ends_with("sessions")) {
    return json_body(
        {{"type", "object"}, {"description", "A session in the flat format of the beta"}});
  }
  return nullptr;
}

}  // namespace server
