#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/jobs/job.h"
#include "server/mcp/tools/delivery.h"
#include "server/mcp/tools/tool.h"

// What a model reads about a job. What was spoken is always marked as data, in a content block of
// its own behind everything that scribed says: anybody may have said anything into a microphone, or
// given a file any name.
namespace server {

// The structuredContent of a job.
nlohmann::json job_schema();

// The answer about a job of the caller, whatever its state. An error for one that has failed.
ToolAnswer deliver(ToolCall call, Job job, Delivery delivery);

// transcript://ID or transcript://ID.srt; "txt" needs no ending.
std::string transcript_uri(const std::string& job, const std::string& format);

}  // namespace server
