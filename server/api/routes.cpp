#include <array>

#include "server/api/handlers.h"
#include "server/api/route.h"

namespace server {
namespace {

using http::verb;

constexpr std::array table{
    Route{verb::post, "/v1/audio/transcriptions", Access::transcribe, api::transcriptions,
          "Turn speech into text, as OpenAI's API does"},
    Route{verb::post, "/v1/audio/translations", Access::transcribe, api::translations,
          "Turn speech into English text, as OpenAI's API does"},
    Route{verb::get, "/v1/models", Access::transcribe, api::list_models,
          "List the installed models"},
    Route{verb::get, "/v1/models/{id}", Access::transcribe, api::get_model, "Show one model"},
    Route{verb::post, "/v1/models/{id}/load", Access::manage, api::load_model,
          "Load a model and say for how long"},
    Route{verb::post, "/v1/models/{id}/unload", Access::manage, api::unload_model,
          "Unload a model when its transcriptions have ended"},
    Route{verb::post, "/v1/jobs", Access::transcribe, api::submit_job,
          "Submit a recording; the answer comes before its text"},
    Route{verb::get, "/v1/jobs", Access::transcribe, api::list_jobs,
          "List one's own jobs, the newest first"},
    Route{verb::get, "/v1/jobs/{id}", Access::transcribe, api::get_job, "Show one job"},
    Route{verb::delete_, "/v1/jobs/{id}", Access::transcribe, api::delete_job,
          "Cancel a job that has not ended, and forget it with its text"},
    Route{verb::get, "/v1/jobs/{id}/events", Access::transcribe, api::job_events,
          "Follow a job: progress and segments as server-sent events"},
    Route{verb::get, "/v1/jobs/{id}/transcript", Access::transcribe, api::job_transcript,
          "The text of a job, in a format of choice"},
    Route{verb::post, "/v1/uploads", Access::transcribe, api::upload,
          "Send a recording now and transcribe it later"},
    Route{verb::delete_, "/v1/uploads/{id}", Access::transcribe, api::delete_upload,
          "Forget an upload"},
    Route{verb::get, "/v1/status", Access::read_status, api::status,
          "Device and why, models, queue"},
    Route{verb::get, "/v1/ps", Access::read_status, api::list_loaded, "List the loaded models"},
    Route{verb::post, "/v1/config/reload", Access::manage, api::reload_config,
          "Read keys, limits and the level of the log again"},
    Route{verb::get, "/v1/backup", Access::back_up, api::backup,
          "A copy of all jobs, recordings that wait and uploads, as tar"},
    Route{verb::post, "/mcp", Access::transcribe, api::mcp, "Model Context Protocol"},
    Route{verb::get, "/mcp", Access::transcribe, api::mcp, "Not offered: 405"},
    Route{verb::delete_, "/mcp", Access::transcribe, api::mcp, "Not offered: 405"},
    Route{verb::get, "/metrics", Access::read_status, api::metrics, "Figures for Prometheus"},
    Route{verb::get, "/livez", Access::open, api::livez, "Whether the daemon answers at all"},
    Route{verb::get, "/readyz", Access::open, api::readyz, "Whether it can transcribe now"},
    Route{verb::get, "/health", Access::open, api::health, "The same, as JSON"},
    Route{verb::get, "/openapi.json", Access::open, api::openapi, "This description"},
    Route{verb::get, "/docs", Access::open, api::docs, "The same, to be read by people"},
    Route{verb::get, "/docs/{path}", Access::open, api::docs_file, "What that page is made with"},
};

}  // namespace

std::span<const Route> routes() {
  return table;
}

}  // namespace server
