#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/submission.h"

// How a call waits for a job: by its argument wait_s, within what a call may take at all.
namespace server {

nlohmann::json wait_property(const char* description, const ToolSettings& settings);
double read_wait(Arguments& arguments, const ToolSettings& settings, double otherwise);
// As long as the call wants to wait, and may.
std::chrono::milliseconds time_to_wait(const ToolCall& call, double wait_s);

// Tells the client how far the job is meanwhile, by numbers that rise even while nothing happens: a
// client takes silence for a hung server.
JobWait wait_and_tell(CallContext& context, std::chrono::milliseconds time);

// Submits the job and waits for it. It is kept then, and goes on by itself where it has not ended:
// the Job says so. Where the call is cancelled before, the job ends with it, unless the call is let
// go.
asio::awaitable<Result<Job>> run_job(ToolCall call, SubmissionRequest request,
                                     std::chrono::milliseconds time);

}  // namespace server
