#include <fmt/format.h>

#include <utility>

#include "server/base/call_places.h"
#include "server/jobs/job_search.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/listed_job.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"

namespace server {
namespace {

constexpr int most_jobs = 100;
constexpr std::size_t frame_bytes = 2000;  // of a list without its jobs

std::string words_about_list(std::size_t jobs) {
  if (jobs == 0) return "There are no jobs.";
  return fmt::format("{} {}, the newest first, each on a line of the next block.", jobs,
                     jobs == 1 ? "job" : "jobs");
}

// As many as fit into one result.
ToolResult list_result(const std::vector<Job>& jobs, int limit, std::size_t result_bytes) {
  ToolResult result{.data = {""}};
  Json& list = result.structured["jobs"] = Json::array();
  std::size_t used = frame_bytes;
  for (const Job& job : jobs) {
    const std::string line = text_of(job);
    Json json = json_of(job);
    used += text_size(line) + result_size(json) + 1;
    if (used > result_bytes && !list.empty()) break;
    result.data[0] += line;
    list.push_back(std::move(json));
  }
  result.words = words_about_list(list.size());
  const bool may_be_more = list.size() < jobs.size() || std::ssize(jobs) == limit;
  if (may_be_more) {
    result.next_step =
        fmt::format("For older ones call list_jobs with before=\"{}\".", jobs[list.size() - 1].id);
  }
  return result;
}

ToolAnswer list_jobs(ToolCall call) {
  Arguments arguments(call.arguments);
  const int limit = arguments.integer("limit", 1, most_jobs, 20);
  const std::string before = arguments.text("before");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  auto waiting =
      place_for(call.services.lists, call.context.principal(), Services::most_lists_of_one);
  const auto place = co_await std::move(waiting);
  if (!place) co_return refusal(place.error());
  auto reading =
      search_jobs(call.services.jobs, call.context.principal(), {}, limit, JobPlace{.id = before});
  const auto jobs = co_await std::move(reading);
  if (!jobs) co_return refusal(jobs.error());
  co_return json_of(list_result(*jobs, limit, call.settings.result_bytes));
}

}  // namespace

SpeechTool list_jobs_tool() {
  Json properties{{"jobs", schema::list(listed_job_schema())}};
  properties.update(result_properties());
  return {{.name = "list_jobs",
           .title = "List the jobs",
           .description = "Names your transcriptions, the newest first, also those of earlier "
                          "sessions that are still kept. get_job reads one.",
           .input_schema = schema::object(
               {{"limit", schema::integer("Most jobs to name. Default: 20", 1, most_jobs)},
                {"before", schema::text("Id of the last job of the previous page")}}),
           .output_schema = schema::object(std::move(properties), Json::array({"jobs"})),
           .annotations =
               {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
          list_jobs};
}

}  // namespace server
