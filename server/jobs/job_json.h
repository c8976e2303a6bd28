#pragma once

#include <string>

#include "server/error.h"
#include "server/jobs/job.h"

// How requests, segments and errors lie in the database: as JSON, so that a new option needs no new
// column. Reading takes the default for a field that is missing and skips one that is unknown.
namespace server {

std::string encode(const JobRequest& request);
Result<JobRequest> decode_request(const std::string& text);

std::string encode(const protocol::Segment& segment);
Result<protocol::Segment> decode_segment(const std::string& text);

// Without text and segments.
std::string encode(const protocol::Transcript& summary);
protocol::Transcript decode_summary(const std::string& text);

std::string encode(const protocol::Error& error);
protocol::Error decode_error(const std::string& text);

}  // namespace server
