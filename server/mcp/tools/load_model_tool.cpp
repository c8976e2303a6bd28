#include <algorithm>
#include <optional>
#include <utility>

#include "server/base/race.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/loaded_model.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/model_name.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

// A model that has its place goes on loading after its caller stops waiting.
mcp::Outcome not_loaded_yet(const ToolCall& call, const std::string& model) {
  const auto loaded = call.services.models.loaded();
  const auto it = std::ranges::find(loaded, model, &LoadedModel::name);
  if (it == loaded.end()) {
    return refusal({errc::timed_out, model + " is not loaded: others use the memory for it.",
                    "Try again when their transcriptions are finished; see status."});
  }
  return json_of(ToolResult{
      .words = text_of(*it),
      .next_step =
          "It continues in the background: call load_model again to wait for it, or status.",
      .structured = json_of(*it)});
}

ToolAnswer load_model(ToolCall call) {
  Arguments arguments(call.arguments);
  const std::string wanted = arguments.text("model");
  const std::string time = arguments.text("keep_alive");
  if (const auto fine = arguments.check(); !fine) co_return refusal(fine.error());
  std::optional<KeepAlive> keep_alive;
  if (!time.empty()) {
    const auto read = parse_keep_alive(time);
    if (!read) co_return refusal(read.error());
    keep_alive = *read;
  }
  const auto model = model_for(call.services, wanted);
  if (!model) co_return refusal(model.error());
  auto loading = call.services.models.load(*model, keep_alive);
  const auto loaded = co_await within(call.time_left(), std::move(loading));
  if (!loaded) co_return not_loaded_yet(call, *model);
  if (!*loaded) co_return refusal(loaded->error());
  co_return mcp::tool_result(text_of(**loaded), json_of(**loaded));
}

}  // namespace

SpeechTool load_model_tool() {
  Json output = loaded_model_schema();
  output["properties"].update(result_properties());
  return {
      {.name = "load_model",
       .title = "Load a model",
       .description = "Loads a model before it is needed, so that the next call need not wait for "
                      "it. transcribe also loads what it needs by itself.",
       .input_schema = schema::object(
           {{"model", schema::text("An installed model. Default: the server's")},
            {"keep_alive", schema::text("How long it stays after its last use: 5m, 1h, 0, or -1 "
                                        "for ever")}}),
       .output_schema = std::move(output),
       .annotations =
           {.read_only = false, .destructive = false, .idempotent = true, .open_world = false}},
      load_model,
      Right::manage};
}

}  // namespace server
