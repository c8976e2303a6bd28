#pragma once

#include "server/jobs/job.h"
#include "server/mcp/tools/tool.h"

// Jobs as tasks of the extension io.modelcontextprotocol/tasks: a task's id is the job's.
namespace server {

mcp::Json task_of(const Job& job);

ToolAnswer get_task(ToolCall call, std::string id);
ToolAnswer cancel_task(ToolCall call, std::string id);

}  // namespace server
