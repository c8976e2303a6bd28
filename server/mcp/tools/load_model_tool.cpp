#include <optional>
#include <utility>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/loaded_model.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/tool.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

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
  auto model = model_for(call.services, wanted);
  if (!model) co_return refusal(model.error());
  const auto loaded = co_await call.services.models.load(*std::move(model), keep_alive);
  if (!loaded) co_return refusal(loaded.error());
  co_return mcp::tool_result(text_of(*loaded), json_of(*loaded));
}

}  // namespace

SpeechTool load_model_tool() {
  return {
      {.name = "load_model",
       .title = "Load a model",
       .description = "Loads a model before it is needed, so that the next call need not wait for "
                      "it. transcribe also loads what it needs by itself.",
       .input_schema = schema::object(
           {{"model", schema::text("An installed model. Default: the server's")},
            {"keep_alive", schema::text("How long it stays after its last use: 5m, 1h, 0, or -1 "
                                        "for ever")}}),
       .output_schema = loaded_model_schema(),
       .annotations =
           {.read_only = false, .destructive = false, .idempotent = true, .open_world = false}},
      load_model};
}

}  // namespace server
