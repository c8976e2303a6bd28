#include "server/api/openapi_page_schemas.h"

#include <string_view>
#include <utility>

#include "server/api/schema_parts.h"

namespace server {
namespace {

using schema::any;
using schema::constant;
using schema::list_of;
using schema::nullable;
using schema::object_of;
using schema::reference_or_null;
using PageJson = nlohmann::ordered_json;

PageJson one_of(std::initializer_list<const char*> values) {
  return {{"type", "string"}, {"enum", values}};
}

void add_sessions(PageJson& schemas) {
  schemas["Session"] =
      object_of({{"name", nullable("string")},
                 {"rights", list_of(one_of({"transcribe", "read_status", "manage", "back_up"}))},
                 {"keys_required", any("boolean")},
                 {"ends_at", nullable("number")}});
  schemas["KeyProofs"] =
      object_of({{"keys_required", any("boolean")}, {"proofs", list_of(any("string"))}});
  const PageJson share{
      {"id", any("string")}, {"created_at", any("number")}, {"ends_at", any("number")}};
  schemas["Share"] = object_of(share);
  PageJson made = share;
  made["token"] = any("string");
  made["url"] = any("string");
  schemas["NewShare"] = object_of(std::move(made));
  schemas["ShareList"] = object_of({{"data", list_of(schema_reference("Share"))}});
}

void add_options(PageJson& schemas) {
  schemas["ModelChoice"] =
      object_of({{"id", any("string")}, {"languages", list_of(any("string"))}});
  schemas["LanguageChoice"] = object_of({{"code", any("string")}, {"name", any("string")}});
  schemas["DefaultOptions"] = object_of({{"language", nullable("string")},
                                         {"task", any("string")},
                                         {"word_timestamps", any("boolean")},
                                         {"vad_filter", any("boolean")},
                                         {"diarize", any("boolean")}});
  schemas["Interfaces"] = object_of({{"live", any("boolean")},
                                     {"realtime", any("boolean")},
                                     {"deepgram", any("boolean")},
                                     {"jigasi", any("boolean")},
                                     {"asr", any("boolean")},
                                     {"whisper_cpp", any("boolean")},
                                     {"mcp", any("boolean")}});
  schemas["Options"] = object_of({{"version", any("string")},
                                  {"max_upload_bytes", any("integer")},
                                  {"max_body_bytes", any("integer")},
                                  {"max_audio_seconds", any("number")},
                                  {"default_model", any("string")},
                                  {"models", list_of(schema_reference("ModelChoice"))},
                                  {"formats", list_of(any("string"))},
                                  {"languages", list_of(schema_reference("LanguageChoice"))},
                                  {"keeps_s", any("number")},
                                  {"max_keeps_s", any("number")},
                                  {"keeps_audio", any("boolean")},
                                  {"tells_speakers", any("boolean")},
                                  {"finds_speech", any("boolean")},
                                  {"url_hosts", list_of(any("string"))},
                                  {"defaults", schema_reference("DefaultOptions")},
                                  {"interfaces", schema_reference("Interfaces")}});
}

void add_storage(PageJson& schemas) {
  const PageJson use{{"owner", any("string")},
                     {"used_bytes", any("integer")},
                     {"limit_bytes", nullable("integer")},
                     {"audio_bytes", any("integer")},
                     {"transcript_bytes", any("integer")},
                     {"upload_bytes", any("integer")}};
  schemas["OwnerStorage"] = object_of(use);
  schemas["ServerStorage"] = object_of({{"used_bytes", any("integer")},
                                        {"limit_bytes", nullable("integer")},
                                        {"free_bytes", any("integer")},
                                        {"min_free_bytes", any("integer")}});
  PageJson own{{"object", constant("storage")}};
  own.update(use);
  own["shared_jobs"] = list_of(any("string"));
  own["server"] = reference_or_null("ServerStorage");
  own["owners"] = {
      {"anyOf", PageJson::array({list_of(schema_reference("OwnerStorage")), any("null")})}};
  schemas["Storage"] = object_of(std::move(own));
}

void add_catalog(PageJson& schemas) {
  schemas["PullState"] =
      object_of({{"done_bytes", any("integer")}, {"total_bytes", nullable("integer")}});
  schemas["CatalogModel"] =
      object_of({{"id", any("string")},
                 {"aliases", list_of(any("string"))},
                 {"use", one_of({"transcription", "speech_detection", "speaker_recognition"})},
                 {"parameters", nullable("string")},
                 {"languages", list_of(any("string"))},
                 {"download_bytes", nullable("integer")},
                 {"weights_bytes", nullable("integer")},
                 {"licence", nullable("string")},
                 {"source", nullable("string")},
                 {"installed", any("boolean")},
                 {"bytes", nullable("integer")},
                 {"damaged", nullable("string")},
                 {"loaded", any("boolean")},
                 {"jobs", any("integer")},
                 {"default", any("boolean")},
                 {"pull", reference_or_null("PullState")}});
  schemas["Catalog"] = object_of({{"data", list_of(schema_reference("CatalogModel"))}});
  schemas["PullBegun"] =
      object_of({{"model", any("string")}, {"total_bytes", nullable("integer")}});
  schemas["PullStopped"] = object_of({{"model", any("string")}, {"stopped", any("boolean")}});
}

// The objects of numbers have a key for each type ("f16") and each dimension ("n_text_layer").
void add_model_report(PageJson& schemas) {
  const PageJson counts{{"type", "object"}, {"additionalProperties", any("integer")}};
  schemas["AlignmentHeads"] = object_of({{"source", one_of({"model", "architecture"})},
                                         {"count", nullable("integer")},
                                         {"left_out", any("boolean")}});
  schemas["ModelFacts"] = object_of({{"format", any("string")},
                                     {"writer", nullable("string")},
                                     {"numbers", counts},
                                     {"parameters", any("integer")},
                                     {"dims", counts},
                                     {"multilingual", any("boolean")},
                                     {"languages", list_of(any("string"))},
                                     {"tokens_from", list_of(any("string"))},
                                     {"alignment_heads", schema_reference("AlignmentHeads")},
                                     {"notes", list_of(any("string"))}});
  schemas["AdapterFacts"] = object_of({{"writer", nullable("string")},
                                       {"layers", any("integer")},
                                       {"rank", any("integer")},
                                       {"numbers", counts}});
  schemas["Refusal"] =
      object_of({{"code", any("string")}, {"message", any("string")}, {"fix", any("string")}});
  schemas["ModelFile"] = object_of({{"name", any("string")}, {"bytes", any("integer")}});
  schemas["LeftOutFile"] = object_of({{"name", any("string")}, {"why", any("string")}});
  schemas["MemoryOfType"] = object_of(
      {{"device", any("string")}, {"compute_type", any("string")}, {"bytes", any("integer")}});
  schemas["ModelReport"] = object_of({{"id", any("string")},
                                      {"usable", any("boolean")},
                                      {"refusal", reference_or_null("Refusal")},
                                      {"model", reference_or_null("ModelFacts")},
                                      {"adapter", reference_or_null("AdapterFacts")},
                                      {"name", nullable("string")},
                                      {"vocabulary_of", nullable("string")},
                                      {"bytes", any("integer")},
                                      {"files", list_of(schema_reference("ModelFile"))},
                                      {"left_out", list_of(schema_reference("LeftOutFile"))},
                                      {"memory", list_of(schema_reference("MemoryOfType"))}});
}

// The data of one event of /v1/events.
void add_events(PageJson& schemas) {
  schemas["StatusModel"] = object_of({{"name", any("string")},
                                      {"device", nullable("string")},
                                      {"compute_type", nullable("string")},
                                      {"loading", any("boolean")}});
  schemas["JobEvent"] =
      object_of({{"type", one_of({"job.created", "job.progress", "job.ended", "job.edited"})},
                 {"job", schema_reference("Job")}});
  schemas["JobDeleted"] =
      object_of({{"type", constant("job.deleted")}, {"job", object_of({{"id", any("string")}})}});
  schemas["ModelProgress"] = object_of({{"type", constant("model.progress")},
                                        {"model", any("string")},
                                        {"done_bytes", any("integer")},
                                        {"total_bytes", nullable("integer")}});
  schemas["ModelEnded"] = object_of({{"type", constant("model.ended")},
                                     {"model", any("string")},
                                     {"error", reference_or_null("Problem")}});
  schemas["ModelRemoved"] =
      object_of({{"type", constant("model.removed")}, {"model", any("string")}});
  schemas["StatusEvent"] = object_of(
      {{"type", constant("status")},
       {"ready", any("boolean")},
       {"problem", nullable("string")},
       {"waiting", nullable("integer")},
       {"running", nullable("integer")},
       {"loaded",
        {{"anyOf", PageJson::array({list_of(schema_reference("StatusModel")), any("null")})}}}});
  schemas["Reset"] = object_of({{"type", constant("reset")}});
  PageJson events = PageJson::array();
  for (const char* name : {"JobEvent", "JobDeleted", "ModelProgress", "ModelEnded", "ModelRemoved",
                           "StatusEvent", "Reset"}) {
    events.push_back(schema_reference(name));
  }
  schemas["PageEvent"] = {{"anyOf", std::move(events)}};
}

}  // namespace

void add_page_schemas(PageJson& schemas) {
  add_sessions(schemas);
  add_options(schemas);
  add_storage(schemas);
  add_catalog(schemas);
  add_model_report(schemas);
  add_events(schemas);
  schemas["Doctor"] = any("object");
}

PageJson page_request_schema(const Route& route) {
  if (route.operation == "signIn") return object_of({{"key", any("string")}});
  if (route.operation != "shareJob") return nullptr;
  PageJson seconds{{"type", "number"}, {"minimum", 60}, {"maximum", 7'776'000}};
  seconds["default"] = 604'800;
  return object_of(PageJson::object(), {{"ends_in_s", std::move(seconds)}});
}

}  // namespace server
