#include <string>
#include <utility>

#include "protocol/speaker_names.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/speaker_rename.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"
#include "server/mcp/tools/tool.h"

namespace server {
namespace {

Json named_result(const Job& job) {
  ToolResult result{.words = "The speakers are named. Other formats and searches have the names.",
                    .data = {quoted_name(shown_title(job)), ""}};
  Json names = Json::object();
  for (const auto& label : speaker_labels(job)) {
    names[label] = protocol::called(job.speaker_names, label);
    result.data[1] += label + " is " + names[label].get<std::string>() + "\n";
  }
  result.structured = {{"job", job.id}, {"speaker_names", std::move(names)}};
  return json_of(std::move(result));
}

ToolAnswer name_speakers(ToolCall call) {
  Arguments arguments(call.arguments);
  const std::string id = arguments.required_text("job");
  protocol::SpeakerNames names = arguments.required_texts_by_name("names");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  auto renaming =
      call.services.jobs.rename_speakers(id, call.context.principal(), std::move(names));
  const auto job = co_await std::move(renaming);
  if (!job) co_return refusal(job.error());
  co_return mcp::Outcome(named_result(*job));
}

Json names_schema(std::string description) {
  return {{"type", "object"},
          {"description", std::move(description)},
          {"additionalProperties", {{"type", "string"}}}};
}

}  // namespace

SpeechTool name_speakers_tool() {
  Json properties{{"job", {{"type", "string"}}},
                  {"speaker_names", names_schema("What each speaker is called now")}};
  properties.update(result_properties());
  return {{.name = "name_speakers",
           .title = "Name the speakers of a job",
           .description = "Gives names to the speakers of a diarized transcription, who are called "
                          "A, B, … until then. All formats of the job have them from then on. One "
                          "name for two letters makes one person of them.",
           .input_schema = schema::object(
               {{"job", schema::text("The job's id")},
                {"names", names_schema("Names by letters: {\"A\": \"Anna\"}. An empty one gives "
                                       "the letter back; who is not named keeps the name")}},
               Json::array({"job", "names"})),
           .output_schema = schema::object(std::move(properties), {"job", "speaker_names"}),
           .annotations =
               {.read_only = false, .destructive = false, .idempotent = true, .open_world = false}},
          name_speakers};
}

}  // namespace server
