#include <fmt/format.h>

#include <utility>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"
#include "server/models/model_store.h"

namespace server {
namespace {

ToolAnswer list_models(ToolCall call) {
  const Arguments arguments(call.arguments);
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  ToolResult result;
  Json& models = result.structured["models"] = Json::array();
  for (const auto& model : call.services.store.list().models) {
    const bool is_default = model.manifest.name == call.services.default_model;
    result.words +=
        fmt::format("{} ({} MiB){}\n", model.manifest.name, model.manifest.total_size() >> 20,
                    is_default ? ", the default" : "");
    models.push_back({{"name", model.manifest.name},
                      {"bytes", model.manifest.total_size()},
                      {"is_default", is_default}});
  }
  if (models.empty()) {
    result.words = "No model is installed.";
    result.next_step = "Somebody has to run on the machine of the server: scribed models pull base";
  }
  co_return json_of(std::move(result));
}

}  // namespace

SpeechTool list_models_tool() {
  const Json string{{"type", "string"}}, integer{{"type", "integer"}};
  Json model =
      schema::object({{"name", string}, {"bytes", integer}, {"is_default", {{"type", "boolean"}}}},
                     {"name", "bytes", "is_default"});
  Json properties{{"models", schema::list(std::move(model))}};
  properties.update(result_properties());
  return {
      {.name = "list_models",
       .title = "List the models",
       .description = "Names the Whisper models that are installed and can be given to transcribe.",
       .input_schema = schema::object(Json::object()),
       .output_schema = schema::object(std::move(properties), Json::array({"models"})),
       .annotations =
           {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      list_models};
}

}  // namespace server
