#pragma once

#include <chrono>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"

// wait_s: how long a call waits for its job, within what a call may take at all.
namespace server {

nlohmann::json wait_property(const char* description, const ToolSettings& settings);

double read_wait(Arguments& arguments, const ToolSettings& settings, double otherwise);

// As long as the call wants to wait, and may.
std::chrono::milliseconds time_to_wait(const ToolCall& call, double wait_s);

}  // namespace server
