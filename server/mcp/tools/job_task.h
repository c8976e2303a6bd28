#pragma once

#include "protocol/mcp/call.h"
#include "server/jobs/job.h"
#include "server/mcp/tools/tool.h"

// Jobs as tasks of the extension io.modelcontextprotocol/tasks: a task's id is the job's.
namespace server {

struct JobCall {
  Services& services;
  const ToolSettings& settings;
  CallContext& context;
  const mcp::Caller& caller;
};

mcp::Json task_of(const Job& job);

ToolAnswer get_task(JobCall call, std::string id);
ToolAnswer cancel_task(JobCall call, std::string id);

}  // namespace server
