#pragma once

#include <string>

#include "server/base/error.h"
#include "server/jobs/job.h"

// How requests, segments and errors lie in the database: as JSON, so that a new option needs no new
// column. Reading takes the default for a field that is missing and skips one that is unknown.
namespace server {

// Of its options only those of shown_options().
std::string encode(const JobRequest& request);
Result<JobRequest> decode_request(const std::string& text);

std::string encode(const protocol::TranscribeOptions& options);
Result<protocol::TranscribeOptions> decode_options(const std::string& text);

// What others than its worker ask of a job: few bytes, however long the options are.
protocol::TranscribeOptions shown_options(const protocol::TranscribeOptions& options);

std::string encode(const protocol::Segment& segment);
Result<protocol::Segment> decode_segment(const std::string& text);

// Without text and segments.
std::string encode(const protocol::Transcript& summary);
protocol::Transcript decode_summary(const std::string& text);

std::string encode(const protocol::Error& error);
protocol::Error decode_error(const std::string& text);

}  // namespace server
