#include <array>

#include "server/api/handlers.h"
#include "server/api/route.h"

namespace server {
namespace {

using http::verb;

constexpr std::array table{
    Route{verb::post, "/v1/audio/transcriptions", Access::transcribe, api::transcriptions,
          "createTranscription", "Turn speech into text, as OpenAI's API does"},
    Route{verb::post, "/v1/audio/translations", Access::transcribe, api::translations,
          "createTranslation", "Turn speech into English text, as OpenAI's API does"},
    Route{verb::get, "/v1/realtime", Access::transcribe, api::realtime, "openRealtime",
          "Turn speech into text while it goes on: a WebSocket, as OpenAI's Realtime API has it",
          &Doors::realtime},
    Route{verb::post, "/v1/realtime/client_secrets", Access::transcribe, api::make_client_secret,
          "createClientSecret", "Make a key of short life, for such WebSockets of pages and apps",
          &Doors::realtime},
    Route{verb::post, "/v1/realtime/transcription_sessions", Access::transcribe,
          api::make_flat_session, "createTranscriptionSession",
          "The same in the shape of that API's beta", &Doors::realtime},
    Route{verb::post, "/v1/realtime/sessions", Access::transcribe, api::make_flat_session,
          "createRealtimeSession", "The same for clients of conversations, which get text alone",
          &Doors::realtime},
    Route{verb::post, "/v1/realtime/calls", Access::transcribe, api::realtime_call,
          "createRealtimeCall", "Not offered: WebRTC. The answer names the WebSocket",
          &Doors::realtime},
    Route{verb::get, "/v1/models", Access::transcribe, api::list_models, "listModels",
          "List the installed models"},
    Route{verb::get, "/v1/models/{id}", Access::transcribe, api::get_model, "retrieveModel",
          "Show one model"},
    Route{verb::post, "/v1/models/{id}/load", Access::manage, api::load_model, "loadModel",
          "Load a model and say for how long"},
    Route{verb::post, "/v1/models/{id}/unload", Access::manage, api::unload_model, "unloadModel",
          "Unload a model when its transcriptions have ended"},
    Route{verb::post, "/v1/jobs", Access::transcribe, api::submit_job, "createJob",
          "Submit a recording; the answer comes before its text"},
    Route{verb::get, "/v1/jobs", Access::transcribe, api::list_jobs, "listJobs",
          "List one's own jobs, the newest first"},
    Route{verb::get, "/v1/jobs/{id}", Access::transcribe, api::get_job, "getJob", "Show one job"},
    Route{verb::patch, "/v1/jobs/{id}", Access::transcribe, api::rename_speakers, "renameSpeakers",
          "Name the speakers of a job that has ended, for all of its formats"},
    Route{verb::delete_, "/v1/jobs/{id}", Access::transcribe, api::delete_job, "deleteJob",
          "Cancel a job that has not ended, and forget it with its text"},
    Route{verb::get, "/v1/jobs/{id}/events", Access::transcribe, api::job_events, "followJob",
          "Follow a job: progress and segments as server-sent events"},
    Route{verb::get, "/v1/jobs/{id}/transcript", Access::transcribe, api::job_transcript,
          "getTranscript", "The text of a job, in a format of choice"},
    Route{verb::post, "/v1/uploads", Access::transcribe, api::upload, "createUpload",
          "Send a recording now and transcribe it later"},
    Route{verb::get, "/v1/uploads", Access::transcribe, api::list_uploads, "listUploads",
          "List one's own uploads, the newest first"},
    Route{verb::delete_, "/v1/uploads/{id}", Access::transcribe, api::delete_upload, "deleteUpload",
          "Forget an upload"},
    Route{verb::get, "/v1/status", Access::read_status, api::status, "getStatus",
          "Device and why, models, queue"},
    Route{verb::get, "/v1/ps", Access::read_status, api::list_loaded, "listLoadedModels",
          "List the loaded models"},
    Route{verb::post, "/v1/config/reload", Access::manage, api::reload_config, "reloadConfig",
          "Read keys, limits and the level of the log again"},
    Route{verb::get, "/v1/backup", Access::back_up, api::backup, "getBackup",
          "A copy of all jobs, recordings that wait and uploads, as tar"},
    Route{verb::post, "/asr", Access::transcribe, api::asr, "asr",
          "Turn speech into text, as whisper-asr-webservice does", &Doors::asr},
    Route{verb::post, "/detect-language", Access::transcribe, api::detect_language,
          "detectLanguage", "Tell the language that is spoken, as whisper-asr-webservice does",
          &Doors::asr},
    Route{verb::post, "/inference", Access::transcribe, api::inference, "inference",
          "Turn speech into text, as whisper.cpp's server does", &Doors::inference},
    Route{verb::post, "/load", Access::manage, api::load_for_inference, "loadForInference",
          "Load a model by its name, as whisper.cpp's server does by a path", &Doors::inference},
    Route{verb::post, "/mcp", Access::transcribe, api::mcp, "callMcp", "Model Context Protocol"},
    Route{verb::get, "/mcp", Access::transcribe, api::mcp, "listenToMcp", "Not offered: 405"},
    Route{verb::delete_, "/mcp", Access::transcribe, api::mcp, "endMcp", "Not offered: 405"},
    Route{verb::get, "/.well-known/oauth-protected-resource", Access::open, api::protected_resource,
          "getProtectedResource", "What REST asks for: a key, and which rights there are"},
    Route{verb::get, "/.well-known/oauth-protected-resource/mcp", Access::open,
          api::protected_resource, "getProtectedMcp", "The same of MCP"},
    Route{verb::get, "/metrics", Access::read_status, api::metrics, "getMetrics",
          "Figures for Prometheus"},
    Route{verb::get, "/livez", Access::open, api::livez, "isAlive",
          "Whether the daemon answers at all"},
    Route{verb::get, "/readyz", Access::open, api::readyz, "isReady",
          "Whether it can transcribe now"},
    Route{verb::get, "/health", Access::open, api::health, "getHealth", "The same, as JSON"},
    Route{verb::get, "/openapi.json", Access::open, api::openapi, "getOpenApi", "This description"},
    Route{verb::get, "/", Access::open, api::front, "getFront",
          "The version as JSON; browsers are led to /docs"},
    Route{verb::get, "/docs", Access::open, api::docs, "getDocs", "The same, to be read by people"},
    Route{verb::get, "/docs/{path}", Access::open, api::docs_file, "getDocsFile",
          "What that page is made with"},
};

}  // namespace

std::span<const Route> routes() {
  return table;
}

}  // namespace server
