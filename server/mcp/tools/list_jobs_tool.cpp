#include <fmt/format.h>

#include <utility>

#include "protocol/json_numbers.h"
#include "server/jobs/job_queue.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/job_wait.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"
#include "server/mcp/tools/tool.h"

namespace server {
namespace {

constexpr int most_jobs = 100;

std::string line_of(const Job& job) {
  std::string line =
      fmt::format("{} {} {}", job.id, name(job.state), quoted_name(job.request.title));
  if (!has_ended(job.state)) line += " (" + progress_text(job) + ")";
  if (job.error) line += ": " + shown_line(job.error->message);
  return line + "\n";
}

ToolAnswer list_jobs(ToolCall call) {
  Arguments arguments(call.arguments);
  const int limit = arguments.integer("limit", 1, most_jobs, 20);
  const std::string before = arguments.text("before");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  const auto jobs = co_await call.services.jobs.list(call.context.principal(), limit, before);
  if (!jobs) co_return refusal(jobs.error());
  std::string text = jobs->empty() ? "There are no jobs." : "";
  Json list = Json::array();
  for (const auto& job : *jobs) {
    text += line_of(job);
    list.push_back({{"job", job.id},
                    {"state", name(job.state)},
                    {"title", shown_name(job.request.title)},
                    {"position", protocol::json::seconds(job.position)},
                    {"duration", protocol::json::seconds(job.duration)}});
  }
  co_return mcp::tool_result(std::move(text), {{"jobs", std::move(list)}});
}

}  // namespace

SpeechTool list_jobs_tool() {
  const Json string{{"type", "string"}}, number{{"type", "number"}};
  Json job = schema::object({{"job", string},
                             {"state", string},
                             {"title", string},
                             {"position", number},
                             {"duration", number}},
                            {"job", "state", "title"});
  Json jobs = schema::object({{"jobs", schema::list(std::move(job))}}, Json::array({"jobs"}));
  return {{.name = "list_jobs",
           .title = "List the jobs",
           .description = "Names your transcriptions, the newest first, also those of earlier "
                          "sessions that are still kept.",
           .input_schema = schema::object(
               {{"limit", schema::integer("Most jobs to name. Default: 20", 1, most_jobs)},
                {"before", schema::text("A job's id: go on behind it")}}),
           .output_schema = std::move(jobs),
           .annotations =
               {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
          list_jobs};
}

}  // namespace server
