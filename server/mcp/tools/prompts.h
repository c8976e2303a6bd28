#pragma once

#include "server/mcp/tools/tool.h"

// Prompts are ready-made requests that a person picks in a host; their arguments can be completed.
namespace server {

// A prompt that needs files is there where files can be named and written.
void add_prompts(mcp::Features& features, const ToolSettings& settings);
mcp::Outcome get_prompt(const mcp::GetPrompt& asked);

// Returns the models, languages or jobs of the caller that begin with the typed text.
ToolAnswer complete(ToolCall call, mcp::Complete asked);

}  // namespace server
