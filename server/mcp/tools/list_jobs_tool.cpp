#include <utility>

#include "server/jobs/job_queue.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/listed_job.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"

namespace server {
namespace {

constexpr int most_jobs = 100;

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
    text += text_of(job);
    list.push_back(json_of(job));
  }
  co_return mcp::tool_result(std::move(text), {{"jobs", std::move(list)}});
}

}  // namespace

SpeechTool list_jobs_tool() {
  Json jobs = schema::object({{"jobs", schema::list(listed_job_schema())}}, Json::array({"jobs"}));
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
