#include "server/api/openapi_answers.h"

#include <array>
#include <string>
#include <string_view>

#include "protocol/docx/transcript_files.h"
#include "server/api/openapi_schemas.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

constexpr char json_type[] = "application/json";
constexpr char plain_text_type[] = "text/plain";
constexpr char events_type[] = "text/event-stream";

struct AnswerRow {
  std::string_view operation;
  const char* status;
  const char* content_type;  // empty: it has no body
  const char* schema = "";   // in openapi_schemas.cpp; empty: any text
};

// An answer in several types has a row for each, the usual one first.
constexpr std::array answer_table{
    AnswerRow{"createTranscription", "200", json_type, "AnyTranscription"},
    AnswerRow{"createTranscription", "200", plain_text_type},
    AnswerRow{"createTranscription", "200", "text/vtt"},
    AnswerRow{"createTranscription", "200", events_type},
    AnswerRow{"createTranslation", "200", json_type, "AnyTranscription"},
    AnswerRow{"createTranslation", "200", plain_text_type},
    AnswerRow{"createTranslation", "200", "text/vtt"},
    AnswerRow{"openRealtime", "101", ""},
    AnswerRow{"openRealtime", "426", json_type, "Error"},
    AnswerRow{"createClientSecret", "200", json_type, "ClientSecret"},
    AnswerRow{"createTranscriptionSession", "200", json_type, "FlatSession"},
    AnswerRow{"createRealtimeSession", "200", json_type, "FlatSession"},
    AnswerRow{"createRealtimeCall", "404", json_type, "Error"},
    AnswerRow{"openListen", "101", ""},
    AnswerRow{"listenToFile", "200", json_type, "Listened"},
    AnswerRow{"openJigasi", "101", ""},
    AnswerRow{"listModels", "200", json_type, "ModelList"},
    AnswerRow{"retrieveModel", "200", json_type, "Model"},
    AnswerRow{"getModelReport", "200", json_type, "ModelReport"},
    AnswerRow{"loadModel", "200", json_type, "LoadedModel"},
    AnswerRow{"unloadModel", "200", json_type, "UnloadedModel"},
    AnswerRow{"listLoadedModels", "200", json_type, "LoadedModelList"},
    AnswerRow{"createJob", "202", json_type, "Job"},
    AnswerRow{"listJobs", "200", json_type, "JobList"},
    AnswerRow{"getJob", "200", json_type, "Job"},
    AnswerRow{"changeJob", "200", json_type, "Job"},
    AnswerRow{"listSegments", "200", json_type, "TextPage"},
    AnswerRow{"editTranscript", "200", json_type, "TextChange"},
    AnswerRow{"editTranscript", "412", json_type, "VersionConflict"},
    AnswerRow{"listVersions", "200", json_type, "TextVersionList"},
    AnswerRow{"restoreVersion", "200", json_type, "TextChange"},
    AnswerRow{"restoreVersion", "412", json_type, "VersionConflict"},
    AnswerRow{"deleteJob", "200", json_type, "Deleted"},
    AnswerRow{"cancelJob", "200", json_type, "Job"},
    AnswerRow{"repeatJob", "202", json_type, "Job"},
    AnswerRow{"getAudio", "200", "audio/wav"},
    AnswerRow{"getAudio", "206", "audio/wav"},
    AnswerRow{"getAudio", "304", ""},
    AnswerRow{"getAudio", "416", ""},
    AnswerRow{"getPeaks", "200", "application/octet-stream"},
    AnswerRow{"getPeaks", "304", ""},
    AnswerRow{"followJob", "200", events_type},
    AnswerRow{"getTranscript", "200", plain_text_type},
    AnswerRow{"getTranscript", "200", json_type, "AnyTranscript"},
    AnswerRow{"getTranscript", "200", "text/vtt"},
    AnswerRow{"getTranscript", "200", "text/tab-separated-values"},
    AnswerRow{"getTranscript", "200", protocol::docx_type},
    AnswerRow{"shareJob", "201", json_type, "NewShare"},
    AnswerRow{"listShares", "200", json_type, "ShareList"},
    AnswerRow{"endShare", "200", json_type, "Deleted"},
    AnswerRow{"getSharedJob", "200", json_type, "Job"},
    AnswerRow{"listSharedSegments", "200", json_type, "TextPage"},
    AnswerRow{"getSharedTranscript", "200", plain_text_type},
    AnswerRow{"getSharedTranscript", "200", json_type, "AnyTranscript"},
    AnswerRow{"getSharedAudio", "200", "audio/wav"},
    AnswerRow{"getSharedAudio", "206", "audio/wav"},
    AnswerRow{"getSharedPeaks", "200", "application/octet-stream"},
    AnswerRow{"followAll", "200", events_type, "PageEvent"},
    AnswerRow{"getSession", "200", json_type, "Session"},
    AnswerRow{"signIn", "200", json_type, "Session"},
    AnswerRow{"signOut", "200", json_type, "Session"},
    AnswerRow{"proveKey", "200", json_type, "KeyProofs"},
    AnswerRow{"getOptions", "200", json_type, "Options"},
    AnswerRow{"getDoctor", "200", json_type, "Doctor"},
    AnswerRow{"getCatalog", "200", json_type, "Catalog"},
    AnswerRow{"pullModel", "202", json_type, "PullBegun"},
    AnswerRow{"stopPull", "200", json_type, "PullStopped"},
    AnswerRow{"removeModel", "200", json_type, "Deleted"},
    AnswerRow{"createUpload", "201", json_type, "Upload"},
    AnswerRow{"getUploadOptions", "204", ""},
    AnswerRow{"getOneUploadOptions", "204", ""},
    AnswerRow{"getUpload", "200", json_type, "Upload"},
    AnswerRow{"continueUpload", "204", ""},
    AnswerRow{"listUploads", "200", json_type, "UploadList"},
    AnswerRow{"deleteUpload", "200", json_type, "Deleted"},
    AnswerRow{"getStatus", "200", json_type, "Status"},
    AnswerRow{"getStorage", "200", json_type, "Storage"},
    AnswerRow{"reloadConfig", "200", json_type, "Reload"},
    AnswerRow{"getBackup", "200", "application/x-tar"},
    AnswerRow{"asr", "200", plain_text_type},
    AnswerRow{"detectLanguage", "200", json_type, "DetectedLanguage"},
    AnswerRow{"inference", "200", json_type, "Inference"},
    AnswerRow{"inference", "200", plain_text_type},
    AnswerRow{"inference", "200", "application/x-subrip"},
    AnswerRow{"inference", "200", "text/vtt"},
    AnswerRow{"loadForInference", "200", plain_text_type},
    AnswerRow{"getFront", "200", json_type, "Front"},
    AnswerRow{"getFront", "200", "text/html"},
    AnswerRow{"getPageFile", "200", "text/javascript"},
    AnswerRow{"getPageFile", "200", "text/css"},
    AnswerRow{"getPageFile", "200", plain_text_type},
    AnswerRow{"callMcp", "200", json_type, "JsonRpc"},
    AnswerRow{"callMcp", "200", events_type},
    AnswerRow{"getProtectedResource", "200", json_type, "ProtectedResource"},
    AnswerRow{"getProtectedMcp", "200", json_type, "ProtectedResource"},
    AnswerRow{"getMetrics", "200", plain_text_type},
    AnswerRow{"isAlive", "200", plain_text_type},
    AnswerRow{"isReady", "200", plain_text_type},
    AnswerRow{"isReady", "503", plain_text_type},
    AnswerRow{"getHealth", "200", json_type, "Health"},
    AnswerRow{"getHealth", "503", json_type, "Health"},
    AnswerRow{"getOpenApi", "200", json_type, "OpenApi"},
    AnswerRow{"getDocs", "200", "text/html"},
    AnswerRow{"getDocsFile", "200", "text/css"},
};

const char* description_of(std::string_view status) {
  if (status == "101") return "The WebSocket is open: docs/api.md describes its frames";
  if (status == "404") return "Not found";
  if (status == "426") return "The request is not a WebSocket upgrade";
  if (status == "206") return "A part, as requested by the Range header";
  if (status == "304") return "Not modified";
  if (status == "412") return "The transcript has a newer version";
  if (status == "416") return "The range cannot be satisfied";
  if (status == "201") return "Kept";
  if (status == "202") return "Accepted";
  return status == "503" ? "Not ready" : "Done";
}

}  // namespace

Json answers_of(const Route& route) {
  Json answers = Json::object();
  for (const auto& row : answer_table) {
    if (row.operation != route.operation) continue;
    Json& answer = answers[row.status];
    answer["description"] = description_of(row.status);
    if (*row.content_type == '\0') continue;
    const std::string_view schema = row.schema;
    answer["content"][row.content_type]["schema"] =
        schema.empty() ? Json{{"type", "string"}} : schema_reference(schema);
  }
  if (route.door != nullptr) {
    answers["default"] = {{"description", "An error in the format of the other API"}};
    return answers;
  }
  answers["default"] = {{"description", "An error in OpenAI's format"}};
  answers["default"]["content"][json_type]["schema"] = schema_reference("Error");
  return answers;
}

}  // namespace server
