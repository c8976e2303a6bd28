#include <fmt/format.h>

#include <utility>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"
#include "server/models/model_store.h"

namespace server {
namespace {

ToolAnswer list_models(ToolCall call) {
  const Arguments arguments(call.arguments);
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  std::string text;
  Json models = Json::array();
  for (const auto& model : call.services.store.list().models) {
    const bool is_default = model.manifest.name == call.services.default_model;
    text += fmt::format("{} ({} MiB){}\n", model.manifest.name, model.manifest.total_size() >> 20,
                        is_default ? ", the default" : "");
    models.push_back({{"name", model.manifest.name},
                      {"bytes", model.manifest.total_size()},
                      {"is_default", is_default}});
  }
  if (models.empty()) text = "No model is installed. Somebody has to run: scribed models pull base";
  co_return mcp::tool_result(std::move(text), {{"models", std::move(models)}});
}

}  // namespace

SpeechTool list_models_tool() {
  const Json string{{"type", "string"}}, integer{{"type", "integer"}};
  Json model =
      schema::object({{"name", string}, {"bytes", integer}, {"is_default", {{"type", "boolean"}}}},
                     {"name", "bytes", "is_default"});
  return {
      {.name = "list_models",
       .title = "List the models",
       .description = "Names the Whisper models that are installed and can be given to transcribe.",
       .input_schema = schema::object(Json::object()),
       .output_schema =
           schema::object({{"models", schema::list(std::move(model))}}, Json::array({"models"})),
       .annotations =
           {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      list_models};
}

}  // namespace server
