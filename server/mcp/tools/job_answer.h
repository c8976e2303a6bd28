#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/jobs/job.h"
#include "server/mcp/tools/delivery.h"
#include "server/mcp/tools/tool.h"

// These functions make the text that a model reads about a job. Speech is always marked as data, in
// a content block of its own behind everything that scribed says: anybody may have said anything
// into a microphone, or given a file any name.
namespace server {

// Returns the schema of a job's structuredContent.
nlohmann::json job_schema();

// Answers about a job of the caller, whatever its state. A failed job gives an error.
ToolAnswer deliver(ToolCall call, Job job, Delivery delivery);

// Returns transcript://ID or transcript://ID.srt; "txt" needs no ending.
std::string transcript_uri(const std::string& job, const std::string& format);

}  // namespace server
