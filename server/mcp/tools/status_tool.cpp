#include <fmt/format.h>

#include <utility>

#include "server/jobs/job_queue.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/listed_job.h"
#include "server/mcp/tools/loaded_model.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"
#include "server/mcp/tools/speeds.h"
#include "server/mcp/tools/tool.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

constexpr int last_jobs = 20;  // jobs that are listed, and that speeds are taken from

// What is loaded, and what went wrong.
void add_models(const ToolCall& call, ToolResult& result) {
  Json& models = result.structured["models"] = Json::array();
  for (const auto& model : call.services.models.loaded()) {
    result.words += text_of(model);
    models.push_back(json_of(model));
  }
  if (models.empty()) {
    result.words = fmt::format("No model is loaded; {} will be at the next call.\n",
                               call.services.default_model);
  }
  if (const auto trouble = call.services.models.trouble()) {
    result.notes.push_back(
        shown_line(fmt::format("The last load failed: {} {}", trouble->message, trouble->fix)));
  }
}

// How fast the last jobs were, and those of them that have not ended.
void add_jobs(const std::vector<Job>& jobs, ToolResult& result) {
  Json& speeds = result.structured["speeds"] = Json::array();
  for (const auto& speed : speeds_of(jobs)) {
    result.words += text_of(speed);
    speeds.push_back(json_of(speed));
  }
  std::string lines;
  Json unfinished = Json::array();
  for (const auto& job : jobs) {
    if (has_ended(job.state)) continue;
    lines += text_of(job);
    unfinished.push_back(json_of(job));
  }
  result.structured["jobs"] = std::move(unfinished);
  result.data = {std::move(lines)};
}

ToolAnswer status(ToolCall call) {
  const Arguments arguments(call.arguments);
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  const std::string newest;
  const auto jobs = co_await call.services.jobs.list(call.context.principal(), last_jobs, newest);
  if (!jobs) co_return refusal(jobs.error());
  const int running = call.services.jobs.running();
  const int waiting = call.services.jobs.waiting();
  ToolResult result{.structured = {{"default_model", call.services.default_model},
                                   {"running", running},
                                   {"waiting", waiting}}};
  add_models(call, result);
  add_jobs(*jobs, result);
  result.words += fmt::format("Running: {}. Waiting: {}.", running, waiting);
  co_return json_of(std::move(result));
}

}  // namespace

SpeechTool status_tool() {
  const Json string{{"type", "string"}}, integer{{"type", "integer"}};
  Json properties{{"default_model", string},
                  {"models", schema::list(loaded_model_schema())},
                  {"speeds", schema::list(speed_schema())},
                  {"jobs", schema::list(listed_job_schema())},
                  {"running", integer},
                  {"waiting", integer}};
  properties.update(result_properties());
  return {
      {.name = "status",
       .title = "Status",
       .description = "Says which models are loaded, on which device and why there, which cards "
                      "are not used and what to do about it, how fast your last transcriptions "
                      "were, how far those are that have not ended, and how much is waiting.",
       .input_schema = schema::object(Json::object()),
       .output_schema = schema::object(std::move(properties), {"default_model", "models", "speeds",
                                                               "jobs", "running", "waiting"}),
       .annotations =
           {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      status,
      Right::read_status};
}

}  // namespace server
