#include <fmt/format.h>

#include <utility>

#include "server/jobs/job_queue.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/listed_job.h"
#include "server/mcp/tools/loaded_model.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/speeds.h"
#include "server/mcp/tools/tool.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

constexpr int last_jobs = 20;  // jobs that are listed, and that speeds are taken from

ToolAnswer status(ToolCall call) {
  const Arguments arguments(call.arguments);
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  const auto loaded = call.services.models.loaded();
  std::string text;
  Json models = Json::array();
  for (const auto& model : loaded) {
    text += text_of(model);
    models.push_back(json_of(model));
  }
  if (loaded.empty()) {
    text = fmt::format("No model is loaded; {} will be at the next call.\n",
                       call.services.default_model);
  }
  if (const auto trouble = call.services.models.trouble()) {
    text += fmt::format("The last load failed: {} {}\n", trouble->message, trouble->fix);
  }
  const std::string newest;
  const auto jobs = co_await call.services.jobs.list(call.context.principal(), last_jobs, newest);
  if (!jobs) co_return refusal(jobs.error());
  Json speeds = Json::array();
  for (const auto& speed : speeds_of(*jobs)) {
    text += text_of(speed);
    speeds.push_back(json_of(speed));
  }
  Json unfinished = Json::array();
  for (const auto& job : *jobs) {
    if (has_ended(job.state)) continue;
    text += text_of(job);
    unfinished.push_back(json_of(job));
  }
  const int running = call.services.jobs.running();
  const int waiting = call.services.jobs.waiting();
  text += fmt::format("Running: {}. Waiting: {}.", running, waiting);
  Json structured{{"default_model", call.services.default_model},
                  {"models", std::move(models)},
                  {"speeds", std::move(speeds)},
                  {"jobs", std::move(unfinished)},
                  {"running", running},
                  {"waiting", waiting}};
  co_return mcp::tool_result(std::move(text), std::move(structured));
}

}  // namespace

SpeechTool status_tool() {
  const Json string{{"type", "string"}}, integer{{"type", "integer"}};
  return {
      {.name = "status",
       .title = "Status",
       .description = "Says which models are loaded, on which device and why there, which cards "
                      "are not used and what to do about it, how fast your last transcriptions "
                      "were, how far those are that have not ended, and how much is waiting.",
       .input_schema = schema::object(Json::object()),
       .output_schema =
           schema::object({{"default_model", string},
                           {"models", schema::list(loaded_model_schema())},
                           {"speeds", schema::list(speed_schema())},
                           {"jobs", schema::list(listed_job_schema())},
                           {"running", integer},
                           {"waiting", integer}},
                          {"default_model", "models", "speeds", "jobs", "running", "waiting"}),
       .annotations =
           {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      status,
      Right::read_status};
}

}  // namespace server
