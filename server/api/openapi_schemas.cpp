#include "server/api/openapi_schemas.h"

#include <string>
#include <utility>

#include "server/api/openapi_page_schemas.h"
#include "server/api/schema_parts.h"
#include "server/transcription/progress_json.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;
using schema::any;
using schema::constant;
using schema::list_of;
using schema::nullable;
using schema::object_of;
using schema::page_of;
using schema::reference_or_null;

void add_transcriptions(Json& schemas) {
  schemas["Usage"] = object_of({{"type", constant("duration")}, {"seconds", any("integer")}});
  schemas["TokenLogprob"] = object_of(
      {{"token", any("string")}, {"logprob", any("number")}, {"bytes", list_of(any("integer"))}});
  schemas["Word"] = object_of({{"word", any("string")},
                               {"start", any("number")},
                               {"end", any("number")},
                               {"probability", any("number")}});
  schemas["Segment"] =
      object_of({{"id", any("integer")},
                 {"seek", any("integer")},
                 {"start", any("number")},
                 {"end", any("number")},
                 {"text", any("string")},
                 {"tokens", list_of(any("integer"))},
                 {"temperature", any("number")},
                 {"avg_logprob", any("number")},
                 {"compression_ratio", any("number")},
                 {"no_speech_prob", any("number")}},
                {{"language", any("string")},
                 {"channel", any("integer")},
                 {"speaker", any("string")},
                 {"encoder_window", {{"type", "string"}, {"enum", {"full", "short", "checked"}}}}});
  const Json logprobs = list_of(schema_reference("TokenLogprob"));
  schemas["Transcription"] = object_of(
      {{"text", any("string")}, {"usage", schema_reference("Usage")}}, {{"logprobs", logprobs}});
  schemas["VerboseTranscription"] = object_of({{"task", any("string")},
                                               {"language", any("string")},
                                               {"duration", any("number")},
                                               {"text", any("string")},
                                               {"usage", schema_reference("Usage")}},
                                              {{"segments", list_of(schema_reference("Segment"))},
                                               {"words", list_of(schema_reference("Word"))},
                                               {"warnings", list_of(any("string"))},
                                               {"logprobs", logprobs}});
  schemas["AnyTranscription"] = {{"anyOf", Json::array({schema_reference("VerboseTranscription"),
                                                        schema_reference("Transcription")})}};
  // Formats json, which is openai/whisper's, and verbose_json have these in common.
  schemas["AnyTranscript"] =
      object_of({{"text", any("string")}, {"language", any("string")}, {"duration", any("number")}},
                {{"segments", list_of(any("object"))}});
}

void add_jobs(Json& schemas) {
  Json time = nullable("number");
  time["description"] = "Seconds since 1970";
  schemas["Problem"] =
      object_of({{"code", any("string")}, {"message", any("string")}, {"fix", nullable("string")}});
  schemas["DeviceFallback"] =
      object_of({{"wanted", any("string")}, {"code", any("string")}, {"reason", any("string")}});
  schemas["KeptSound"] =
      object_of({{"bytes", any("integer")}, {"seconds", any("number")}, {"whole", any("boolean")}});
  Json properties{
      {"id", any("string")},
      {"object", constant("job")},
      {"status",
       {{"type", "string"}, {"enum", {"queued", "running", "done", "failed", "cancelled"}}}},
      {"title", nullable("string")},
      {"filename", nullable("string")},
      {"pinned", any("boolean")},
      {"model", any("string")},
      {"task", any("string")},
      {"diarize", any("boolean")},
      {"live", any("boolean")},
      {"priority", {{"type", "string"}, {"enum", {"normal", "bulk"}}}},
      {"language", nullable("string")},
      {"created_at", time},
      {"started_at", time},
      {"finished_at", time},
      {"expires_at", time},
      {"request_id", nullable("string")},
      {"owner", any("string")},
      {"attempts", any("integer")},
      {"segments", any("integer")},
      {"version", any("integer")},
      {"device", nullable("string")},
      {"device_fallback", reference_or_null("DeviceFallback")},
      {"warnings", list_of(any("string"))},
      {"error", reference_or_null("Problem")},
      {"speaker_names",
       {{"type", "object"},
        {"additionalProperties", any("string")},
        {"description", "Name of each speaker: the letter, or a given name"}}},
      {"has_audio", any("boolean")},
      {"audio", reference_or_null("KeptSound")},
      {"metadata", {{"type", "object"}, {"additionalProperties", any("string")}}}};
  const Json figures = progress_properties();
  for (const auto& [name, figure] : figures.items()) {
    properties[name] = figure;
    if (name != "phase") properties[name]["type"] = {figure["type"], "null"};
  }
  schemas["Job"] =
      object_of(std::move(properties), {{"matches", list_of(schema_reference("TextMatch"))}});
  schemas["JobList"] = page_of("Job");
}

// Texts in versions. A word is a list: its text, its start in the segment, its length, and its
// probability.
void add_texts(Json& schemas) {
  const Json number = any("number");
  schemas["TextWord"] = {{"type", "array"},
                         {"prefixItems", Json::array({any("string"), number, number, number})},
                         {"minItems", 4},
                         {"maxItems", 4}};
  schemas["TextSegment"] = object_of({{"id", any("string")},
                                      {"start", number},
                                      {"end", number},
                                      {"text", any("string")},
                                      {"confidence", number},
                                      {"speaker", nullable("string")},
                                      {"words", list_of(schema_reference("TextWord"))}},
                                     {{"language", any("string")}, {"channel", any("integer")}});
  schemas["TextPage"] = page_of("TextSegment");
  schemas["TextPage"]["properties"]["version"] = any("integer");
  schemas["TextPage"]["required"].push_back("version");
  const Json names{{"type", "object"}, {"additionalProperties", any("string")}};
  schemas["TextChange"] = object_of({{"version", any("integer")},
                                     {"changed", list_of(schema_reference("TextSegment"))},
                                     {"removed", list_of(any("string"))},
                                     {"segments", any("integer")},
                                     {"speaker_names", names},
                                     {"replaced", any("integer")}});
  schemas["TextVersion"] =
      object_of({{"version", any("integer")},
                 {"created_at", nullable("number")},
                 {"ops", {{"type", "object"}, {"additionalProperties", any("integer")}}},
                 {"restored", nullable("integer")}});
  schemas["TextVersionList"] = page_of("TextVersion");
  schemas["TextVersionList"]["properties"]["version"] = any("integer");
  schemas["TextVersionList"]["required"].push_back("version");
  const Json span{{"type", "array"}, {"items", any("integer")}, {"minItems", 2}, {"maxItems", 2}};
  schemas["TextMatch"] = object_of({{"segment", any("string")},
                                    {"start", number},
                                    {"text", any("string")},
                                    {"spans", list_of(span)}});
}

void add_uploads(Json& schemas) {
  schemas["Upload"] = object_of({{"id", any("string")},
                                 {"object", constant("upload")},
                                 {"handle", any("string")},
                                 {"filename", any("string")},
                                 {"bytes", any("integer")},
                                 {"received_bytes", any("integer")},
                                 {"complete", any("boolean")},
                                 {"expires_at", any("number")}});
  schemas["UploadList"] = page_of("Upload");
  schemas["Deleted"] =
      object_of({{"id", any("string")}, {"object", any("string")}, {"deleted", any("boolean")}});
}

void add_models(Json& schemas) {
  schemas["Model"] = object_of({{"id", any("string")},
                                {"object", constant("model")},
                                {"created", any("integer")},
                                {"owned_by", any("string")}});
  schemas["ModelList"] =
      object_of({{"object", constant("list")}, {"data", list_of(schema_reference("Model"))}});
  schemas["Sandbox"] =
      object_of({{"active", list_of(any("string"))}, {"missing", list_of(any("string"))}});
  schemas["Places"] = object_of({{"windows", any("integer")},
                                 {"windows_held", any("integer")},
                                 {"rows", any("integer")},
                                 {"rows_held", any("integer")},
                                 {"bytes", any("integer")}});
  schemas["Graphs"] = object_of(
      {{"recorded", any("integer")}, {"failures", any("integer")}, {"off", nullable("string")}});
  schemas["Kernels"] = object_of(
      {{"rows", any("integer")}, {"choice", any("boolean")}, {"off", nullable("string")}});
  schemas["ModelDevice"] = object_of({{"device", nullable("string")},
                                      {"device_name", nullable("string")},
                                      {"memory_bytes", any("integer")},
                                      {"loading", any("boolean")},
                                      {"jobs", any("integer")},
                                      {"places", reference_or_null("Places")},
                                      {"graphs", reference_or_null("Graphs")},
                                      {"kernels", reference_or_null("Kernels")},
                                      {"encoder_window", nullable("string")}});
  schemas["LoadedModel"] = object_of({{"name", any("string")},
                                      {"device", nullable("string")},
                                      {"device_name", nullable("string")},
                                      {"device_reason", nullable("string")},
                                      {"compute_type", nullable("string")},
                                      {"passed_over", list_of(any("string"))},
                                      {"devices", list_of(schema_reference("ModelDevice"))},
                                      {"sandbox", schema_reference("Sandbox")},
                                      {"memory_bytes", any("integer")},
                                      {"load_s", any("number")},
                                      {"loading", any("boolean")},
                                      {"jobs", any("integer")},
                                      {"expires_in_s", nullable("number")}});
  schemas["LoadedModelList"] = object_of({{"models", list_of(schema_reference("LoadedModel"))}});
  schemas["UnloadedModel"] = object_of({{"name", any("string")}, {"unloaded", any("boolean")}});
}

// What other programs' clients read.
void add_others(Json& schemas) {
  schemas["Front"] = object_of({{"version", any("string")}});
  schemas["DetectedLanguage"] = object_of(Json::object(), {{"detected_language", any("string")},
                                                           {"language_code", any("string")},
                                                           {"confidence", any("number")}});
  schemas["Listened"] =
      object_of({{"metadata", any("object")},
                 {"results", object_of({{"channels", list_of(any("object"))}},
                                       {{"utterances", list_of(any("object"))}})}});
  schemas["Inference"] =
      object_of({{"text", any("string")}}, {{"task", any("string")},
                                            {"language", any("string")},
                                            {"duration", any("number")},
                                            {"segments", list_of(any("object"))},
                                            {"detected_language", any("string")},
                                            {"detected_language_probability", any("number")},
                                            {"language_probabilities", any("object")}});
}

void add_live(Json& schemas) {
  schemas["ClientSecret"] = object_of(
      {{"value", any("string")}, {"expires_at", any("integer")}, {"session", any("object")}});
  schemas["FlatSession"] = object_of(
      {{"object", constant("realtime.transcription_session")},
       {"id", any("string")},
       {"expires_at", any("integer")},
       {"input_audio_format", any("string")},
       {"input_audio_transcription", any("object")},
       {"input_audio_noise_reduction", nullable("object")},
       {"turn_detection", nullable("object")},
       {"include", nullable("array")},
       {"client_secret", object_of({{"value", any("string")}, {"expires_at", any("integer")}})}});
}

void add_server(Json& schemas) {
  schemas["Queue"] = object_of({{"waiting", any("integer")}, {"running", any("integer")}});
  schemas["Live"] = object_of({{"enabled", any("boolean")},
                               {"sessions", any("integer")},
                               {"max_sessions", any("integer")},
                               {"lag_s", any("number")},
                               {"period_s", any("number")}});
  schemas["SoundUse"] =
      object_of({{"keeps", any("boolean")}, {"bytes", any("integer")}, {"jobs", any("integer")}});
  schemas["Status"] = object_of({{"version", any("string")},
                                 {"ready", any("boolean")},
                                 {"default_model", any("string")},
                                 {"models", list_of(schema_reference("LoadedModel"))},
                                 {"queue", schema_reference("Queue")},
                                 {"live", schema_reference("Live")},
                                 {"sound", schema_reference("SoundUse")},
                                 {"problem", nullable("string")},
                                 {"last_load_error", reference_or_null("Problem")}});
  schemas["Health"] = object_of(
      {{"status", {{"type", "string"}, {"enum", {"ok", "error"}}}}, {"version", any("string")}},
      {{"error", any("string")}});
  schemas["Reload"] = object_of({{"object", constant("reload")},
                                 {"keys", any("integer")},
                                 {"changed", list_of(any("string"))},
                                 {"need_restart", list_of(any("string"))}});
  schemas["ProtectedResource"] = object_of({{"resource", any("string")},
                                            {"resource_name", any("string")},
                                            {"bearer_methods_supported", list_of(any("string"))},
                                            {"scopes_supported", list_of(any("string"))},
                                            {"resource_documentation", any("string")}});
  schemas["JsonRpc"] = any("object");
  schemas["OpenApi"] = any("object");
  Json error = object_of({{"message", any("string")},
                          {"type", any("string")},
                          {"param", nullable("string")},
                          {"code", nullable("string")}});
  schemas["VersionConflict"] = object_of({{"error", error}, {"version", any("integer")}});
  schemas["Error"] = object_of({{"error", std::move(error)}});
}

}  // namespace

Json schema_reference(std::string_view name) {
  return {{"$ref", "#/components/schemas/" + std::string(name)}};
}

Json answer_schemas() {
  Json schemas = Json::object();
  add_transcriptions(schemas);
  add_jobs(schemas);
  add_texts(schemas);
  add_uploads(schemas);
  add_models(schemas);
  add_others(schemas);
  add_live(schemas);
  add_server(schemas);
  add_page_schemas(schemas);
  return schemas;
}

}  // namespace server
