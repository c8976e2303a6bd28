#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/submission.h"

// A call waits for a job by its argument wait_s, within the time that a call may take at all.
namespace server {

nlohmann::json wait_property(const char* description, const ToolSettings& settings);
double read_wait(Arguments& arguments, const ToolSettings& settings, double otherwise);
// Returns the time that the call asks to wait, limited to what is left of it.
std::chrono::milliseconds time_to_wait(const ToolCall& call, double wait_s);

// Reports the job's progress to the client while it waits, by numbers that rise even while nothing
// happens: a client takes silence for a hung server.
JobWait wait_and_tell(CallContext& context, std::chrono::milliseconds time);

// Submits the job and waits for it. A job that has not ended by then is kept and goes on by itself,
// as the returned Job says. If the call is cancelled before, the job ends with it, unless the call
// is let go.
asio::awaitable<Result<Job>> run_job(ToolCall call, SubmissionRequest request,
                                     std::chrono::milliseconds time);

}  // namespace server
