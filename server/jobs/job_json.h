#pragma once

#include <cstdint>
#include <string>

#include "protocol/speaker_names.h"
#include "server/base/error.h"
#include "server/jobs/job.h"

// Requests, segments and errors are stored as JSON, so that a new option needs no new column.
// Reading takes the default for a field that is missing and skips one that is unknown.
namespace server {

// The text has only those of the request's options that shown_options() returns.
std::string encode(const JobRequest& request);
Result<JobRequest> decode_request(const std::string& text);

std::string encode(const protocol::TranscribeOptions& options);
Result<protocol::TranscribeOptions> decode_options(const std::string& text);

// Returns how many bytes a request takes that waits with all of its options.
std::uint64_t stored_bytes_of(const JobRequest& request);

// Returns the options that others than the job's worker ask for: few bytes, however long the
// options are.
protocol::TranscribeOptions shown_options(const protocol::TranscribeOptions& options);

std::string encode(const protocol::Segment& segment);
Result<protocol::Segment> decode_segment(const std::string& text);

// The text leaves out the transcript's text and segments.
std::string encode(const protocol::Transcript& summary);
protocol::Transcript decode_summary(const std::string& text);

std::string encode(const protocol::SpeakerNames& names);
protocol::SpeakerNames decode_speaker_names(const std::string& text);

std::string encode(const protocol::Error& error);
protocol::Error decode_error(const std::string& text);

}  // namespace server
