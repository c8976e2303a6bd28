#include <utility>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/model_name.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

ToolAnswer unload_model(ToolCall call) {
  Arguments arguments(call.arguments);
  const std::string wanted = arguments.required_text("model");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  const auto model = model_for(call.services, wanted);
  if (!model) co_return refusal(model.error());
  const bool was_loaded = call.services.models.unload(*model);
  Json structured{{"model", *model}, {"unloaded", was_loaded}};
  co_return mcp::tool_result(
      was_loaded ? *model + " is unloaded when its jobs are finished; its memory is then free."
                 : *model + " was not loaded.",
      std::move(structured));
}

}  // namespace

SpeechTool unload_model_tool() {
  const Json string{{"type", "string"}};
  return {{.name = "unload_model",
           .title = "Unload a model",
           .description = "Gives the memory of a model back. Jobs that use it may end before.",
           .input_schema = schema::object({{"model", schema::text("A loaded model, see status")}},
                                          Json::array({"model"})),
           .output_schema = schema::object({{"model", string}, {"unloaded", {{"type", "boolean"}}}},
                                           {"model", "unloaded"}),
           .annotations =
               {.read_only = false, .destructive = false, .idempotent = true, .open_world = false}},
          unload_model,
          Right::manage};
}

}  // namespace server
