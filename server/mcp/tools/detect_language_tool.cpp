#include <string>
#include <utility>

#include "protocol/languages.h"
#include "protocol/worker_contract.h"
#include "server/mcp/tools/job_wait.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/sound_source.h"
#include "server/mcp/tools/tool.h"

namespace server {
namespace {

Json detect_language_input() {
  Json properties = source_properties();
  properties["model"] = schema::text("An installed model, see list_models. Default: the server's");
  return schema::object(std::move(properties));
}

ToolAnswer detect(ToolCall call) {
  Arguments arguments(call.arguments);
  SubmissionRequest request{.source = read_source(arguments, call.settings),
                            .model = arguments.text("model")};
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  request.options.clip_timestamps = {0, protocol::worker::window_s};
  request.options.temperatures = {0};
  auto running = run_job(call, std::move(request), call.time_left());
  const auto job = co_await std::move(running);
  if (!job) co_return refusal(job.error());
  if (job->error) co_return refusal(*job->error);
  if (!has_ended(job->state)) {
    co_return refusal({errc::timed_out, "The language is not known yet: others are before it.",
                       "Call get_job with job=\"" + job->id + "\" later; it tells the language."});
  }
  const std::string code = job->language;
  const std::string spoken(protocol::language_name(code));
  Json structured{{"job", job->id}, {"language", code}, {"name", spoken}};
  co_return mcp::tool_result("The language is " + spoken + " (" + code + ").",
                             std::move(structured));
}

}  // namespace

SpeechTool detect_language_tool() {
  const Json string{{"type", "string"}};
  return {
      {.name = "detect_language",
       .title = "Detect the language",
       .description = "Tells which language is spoken in the first half minute of a recording.",
       .input_schema = detect_language_input(),
       .output_schema = schema::object({{"job", string}, {"language", string}, {"name", string}},
                                       {"job", "language", "name"}),
       .annotations = {.read_only = true, .destructive = false, .open_world = true}},
      detect};
}

}  // namespace server
