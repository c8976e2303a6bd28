#pragma once

#include "server/mcp/tools/tool.h"

// Ready-made requests that a person picks in a host, and what can be filled in there.
namespace server {

void add_prompts(mcp::Features& features);
mcp::Outcome get_prompt(const mcp::GetPrompt& asked);

// Models, languages and the caller's jobs that begin with what was typed.
ToolAnswer complete(ToolCall call, mcp::Complete asked);

}  // namespace server
