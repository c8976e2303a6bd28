#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/submission.h"

namespace server {
namespace {

ToolAnswer cancel_job(ToolCall call) {
  Arguments arguments(call.arguments);
  const std::string id = arguments.required_text("job");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  const auto cancelled = co_await call.submission.cancel(id, call.context.principal());
  if (!cancelled) co_return refusal(cancelled.error());
  Json structured{{"job", id}, {"cancelled", *cancelled}};
  co_return mcp::tool_result(*cancelled ? "The job is cancelled." : "The job was already finished.",
                             std::move(structured));
}

}  // namespace

SpeechTool cancel_job_tool() {
  const Json string{{"type", "string"}}, boolean{{"type", "boolean"}};
  return {{.name = "cancel_job",
           .title = "Cancel a job",
           .description = "Ends a transcription that waits or runs. What was transcribed by then "
                          "is no longer given.",
           .input_schema =
               schema::object({{"job", schema::text("The job's id")}}, Json::array({"job"})),
           .output_schema =
               schema::object({{"job", string}, {"cancelled", boolean}}, {"job", "cancelled"}),
           .annotations =
               {.read_only = false, .destructive = true, .idempotent = true, .open_world = false}},
          cancel_job};
}

}  // namespace server
